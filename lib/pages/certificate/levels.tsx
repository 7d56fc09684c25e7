import type { Child } from 'hono/jsx';
import type { Predicate } from '../../certificate/statement.ts';
import { VERDICTS } from '../../judging/judge.ts';
import { LEVELS } from '../../requirement.ts';

/** How many requirements of each level have each verdict. */
export function Levels({ levels }: Pick<Predicate, 'levels'>): Child {
  const verdicts = VERDICTS.filter((verdict) => LEVELS.some((level) => (levels[level][verdict] ?? 0) > 0));
  return (
    <section aria-labelledby="levels">
      <h2 id="levels">What was asked</h2>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th scope="col">level</th>
              {verdicts.map((verdict) => (
                <th scope="col">{verdict}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {LEVELS.map((level) => (
              <tr>
                <th scope="row">{level}</th>
                {verdicts.map((verdict) => (
                  <td class="number">{String(levels[level][verdict] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
