import type { Child } from 'hono/jsx';
import type { Report } from '../../reports/schema.ts';

/** An answer that gives each of several things a list, as rows and columns. */
interface Matrix {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [name: string, permitted: readonly string[] | string])[];
}

/** The operations with tags, in the order of the specification. */
const COLUMNS = ['create', 'update', 'list', 'delete'];

/** Reads the answer to the open question of the scopes; undefined if it has another form. */
function matrixOf(answer: unknown): Matrix | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  const rows = Object.entries(answer).map(([name, value]: [string, unknown]) => {
    const permitted = Array.isArray(value) ? value.map(String) : String(value);
    return [name, permitted] as const;
  });
  return { columns: COLUMNS, rows };
}

/** Which scope permits which operation: a row for each scope, a column for each operation. */
export const Scopes = ({ report }: { report: Report }): Child => {
  const asked = report.requirements.find(({ key }) => key === 'scopes');
  const matrix = matrixOf(asked?.answer);
  return (
    <section aria-labelledby="scopes">
      <h2 id="scopes">What each scope permits</h2>
      {matrix === undefined ? (
        <p>{asked?.said ?? 'This run did not find out.'}</p>
      ) : (
        <div class="table" tabindex={0} role="group" aria-label="Table of scopes">
          <table class="matrix">
            <caption>
              Operations with tags that a token of one scope is permitted. The specification leaves this open.
            </caption>
            <thead>
              <tr>
                <th scope="col">scope</th>
                {matrix.columns.map((column) => (
                  <th scope="col">{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {matrix.rows.map(([name, permitted]) => (
                <tr>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  {typeof permitted === 'string' ? (
                    <td colspan={matrix.columns.length}>{permitted}</td>
                  ) : (
                    matrix.columns.map((column) => <Cell isPermitted={permitted.includes(column)} />)
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

const Cell = ({ isPermitted }: { isPermitted: boolean }): Child =>
  isPermitted ? <td class="good">yes</td> : <td class="quiet">no</td>;
