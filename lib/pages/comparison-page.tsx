import type { Child } from 'hono/jsx';
import { cut } from '../http/wording.ts';
import { VERDICTS } from '../judging/judge.ts';
import type { Side } from '../reports/comparing.ts';
import { sentenceOf } from '../reports/finding-lines.ts';
import { moment } from '../reports/moment.ts';
import { documentOf } from './document.tsx';
import { Filter } from './filter.tsx';
import { SCRIPT } from './script.ts';
import { Badge } from './verdict.tsx';

/** The most characters of a reason in a cell. */
const MOST_REASON = 160;

/** One line of a table: something that every side has, or lacks. */
interface Row {
  readonly id: string;
  readonly about?: string | undefined;
  readonly kind: 'requirement' | 'observation';
  /** One for each side; undefined if it does not have it. */
  readonly cells: readonly (Cell | undefined)[];
}

type Judged = NonNullable<Side['run']>['requirements'][number];

interface Cell {
  /** The sides of the comparison. */
  readonly value: string;
  readonly shown: Child;
}

/** Servers or releases side by side as one HTML file: columns are runs, rows requirements and observations. */
export function comparisonPage(sides: readonly Side[]): string {
  const rows = [...requirementRows(sides), ...observationRows(sides)];
  const different = rows.filter(differs).toSorted((one, other) => placeOf(one) - placeOf(other));
  const same = rows.filter((row) => !differs(row));
  return documentOf(
    `Comparison of ${sides.length} runs`,
    <>
      <header>
        <p class="eyebrow">Conformance to the Account Mutation API</p>
        <h1>Comparison of {sides.length} runs</h1>
        <p>
          {different.length} of {rows.length} requirements and observations differ.
        </p>
      </header>
      <nav aria-label="Contents">
        <ul>
          <li>
            <a href="#runs">Runs</a>
          </li>
          <li>
            <a href="#differences">Differences</a>
          </li>
          <li>
            <a href="#same">The same</a>
          </li>
        </ul>
      </nav>
      <section aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        <Runs sides={sides} />
      </section>
      <Filter
        label="Filter the rows"
        choices={[{ name: 'kind', values: ['requirement', 'observation'], nameOf: (kind) => `${kind}s` }]}
      />
      <Part
        id="differences"
        title="Differences"
        rows={different}
        sides={sides}
        none="The runs do not differ."
      />
      <Part id="same" title="The same in all runs" rows={same} sides={sides} none="Nothing is the same." />
    </>,
    SCRIPT,
  );
}

/** Whether the sides that have it differ. A run that did not check it does not count. */
const differs = ({ cells }: Row): boolean => new Set(cells.flatMap((cell) => cell?.value ?? [])).size > 1;

/** The worst verdicts of a row, from the one to read first. */
const ORDER = ['fail', 'error', 'warn'];

/** Differences in failures come first, then those in undecided requirements and warnings. */
function placeOf({ cells }: Row): number {
  const at = ORDER.findIndex((verdict) => cells.some((cell) => cell?.value === verdict));
  return at < 0 ? ORDER.length : at;
}

function requirementRows(sides: readonly Side[]): Row[] {
  const ids = new Set(
    sides.flatMap(
      ({ run }) => run?.requirements.flatMap(({ id, key }) => (key === undefined ? id : [])) ?? [],
    ),
  );
  return [...ids].map((id) => {
    const found = sides.map(({ run }) => run?.requirements.find((one) => one.id === id));
    return {
      id,
      about: found.find((one) => one?.text !== undefined)?.text,
      kind: 'requirement',
      cells: found.map((one) => one && { value: one.verdict, shown: <Verdict one={one} /> }),
    };
  });
}

/** A row for each open question: what each run observed, in a sentence if the file has one. */
function observationRows(sides: readonly Side[]): Row[] {
  const asked = sides.flatMap(({ run }) => run?.requirements ?? []);
  const keys = new Set([
    ...asked.flatMap(({ key }) => key ?? []),
    ...sides.flatMap(({ answers }) => [...answers.keys()].map((path) => questionOf(path, asked))),
  ]);
  return [...keys].map((key) => ({
    id: key,
    about: asked.find((one) => one.key === key && one.text !== undefined)?.text,
    kind: 'observation',
    cells: sides.map(({ answers, run }) => {
      const parts = [...answers].filter(([path]) => path === key || path.startsWith(`${key}.`));
      const one = run?.requirements.find((requirement) => requirement.key === key);
      if (parts.length === 0) return undefined;
      const words = parts
        .map(([path, value]) => (path === key ? value : `${path.slice(key.length + 1)}: ${value}`))
        .join('; ');
      return {
        value: words,
        shown: one?.said === undefined ? one === undefined ? words : <Verdict one={one} /> : one.said,
      };
    }),
  }));
}

/** The key of the question that the path of an answer belongs to; the path itself if no report has it. */
function questionOf(path: string, asked: readonly { readonly key?: string | undefined }[]): string {
  const keys = asked.flatMap(({ key }) => (key !== undefined && path.startsWith(`${key}.`) ? key : []));
  return keys.toSorted((one, other) => other.length - one.length)[0] ?? path;
}

const Verdict = ({ one: { verdict, reason = '' } }: { one: Judged }): Child => (
  <>
    <Badge verdict={verdict} />
    {reason === '' ? null : <p>{cut(sentenceOf(reason), MOST_REASON)}</p>}
  </>
);

const Runs = ({ sides }: { sides: readonly Side[] }): Child => (
  <div class="table" tabindex={0} role="group" aria-label="The runs">
    <table class="compared">
      <thead>
        <tr>
          <th scope="col">file</th>
          <th scope="col">target</th>
          <th scope="col">verdict</th>
          <th scope="col">requirements</th>
          <th scope="col">checked</th>
          <th scope="col">suite</th>
        </tr>
      </thead>
      <tbody>
        {sides.map(({ name, run }) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{run?.target ?? 'not told'}</td>
            <td class={toneOf(run?.verdict)}>
              {run === undefined ? 'unknown: a fingerprint has no verdicts' : run.verdict}
              {run?.partial === true ? ', partial' : ''}
            </td>
            <td>{run === undefined ? '' : countsIn(run)}</td>
            <td>{run?.startedAt === undefined ? '' : moment(run.startedAt)}</td>
            <td>{run?.suite === undefined ? '' : `${run.suite.name} ${run.suite.version}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const toneOf = (verdict: string | undefined): string =>
  ({ conforming: 'good', 'non-conforming': 'bad', inconclusive: 'doubt' })[verdict ?? ''] ?? 'quiet';

const countsIn = ({ requirements }: NonNullable<Side['run']>): string =>
  VERDICTS.flatMap((verdict) => {
    const count = requirements.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict}`];
  }).join(', ');

const Part = ({
  id,
  title,
  rows,
  sides,
  none,
}: {
  id: string;
  title: string;
  rows: readonly Row[];
  sides: readonly Side[];
  none: string;
}): Child => (
  <section aria-labelledby={id} data-group={rows.length > 0 ? true : undefined}>
    <h2 id={id}>{title}</h2>
    {rows.length === 0 ? (
      <p>{none}</p>
    ) : (
      <div class="table" tabindex={0} role="group" aria-label={title}>
        <table class="compared">
          <thead>
            <tr>
              <th scope="col">requirement or observation</th>
              {sides.map(({ name, run }) => (
                <th scope="col">
                  {name}
                  {run?.target === undefined ? null : <p>{run.target}</p>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id: rowId, about, kind, cells }) => (
              <tr id={rowId} data-row data-kind={kind}>
                <th scope="row">
                  <a href={`#${rowId}`}>
                    <code>{rowId}</code>
                  </a>
                  {about === undefined ? null : <p class="quiet">{about}</p>}
                </th>
                {cells.map((cell) => (
                  <td>{cell === undefined ? <span class="quiet">not checked</span> : cell.shown}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);
