import type { Child } from 'hono/jsx';
import type { Report } from '../../reports/schema.ts';
import { Copyable } from '../code.tsx';

/** Tags of the run that are left on the target or may be, and what became of other people's tags. */
export const Residue = ({ report: { residue, inventory } }: { report: Report }): Child => (
  <section aria-labelledby="residue">
    <h2 id="residue">What is left on the target</h2>
    {residue.length === 0 ? <p>Nothing: every tag of this run was removed.</p> : null}
    {residue.length === 0 ? null : (
      <ul>
        {residue.map(({ name, tag_id: tagId, state, why, curl }) => (
          <li>
            <code>{name}</code>
            {tagId === undefined ? '' : ` (${tagId})`} {state === 'left' ? 'is left' : 'may be left'}: {why}.
            {curl === undefined ? null : <Copyable text={curl} label="the command that removes it" />}
          </li>
        ))}
      </ul>
    )}
    {inventory === undefined ? null : (
      <p>
        {inventory.before} tags of other users were listed before the run and {inventory.after} after it.{' '}
        {inventory.appeared ?? 0} were not there before. {inventory.gone} are gone and {inventory.changed}{' '}
        have another name, which other users may have done; updates and deletes of this run addressed{' '}
        {inventory.addressed} of them.
      </p>
    )}
  </section>
);
