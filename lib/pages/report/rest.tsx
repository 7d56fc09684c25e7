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
        {inventory.gone} are gone and {inventory.changed} have another name, which other users may have done;
        updates and deletes of this run addressed {inventory.addressed} of them.
      </p>
    )}
  </section>
);

/** The settings of the run and the versions of what made it. */
export const Settings = ({ report }: { report: Report }): Child => {
  const { suite, effort, seed, planned, target, traffic } = report;
  const facts: readonly (readonly [string, string])[] = [
    ['Suite', `${suite.name} ${suite.version}`],
    ['Target', target],
    ['Effort', effort],
    ['Seed', seed],
    ['Requests', `${traffic.requests} of at most ${planned.requests}`],
    ['Requests that write', `${traffic.writes} of at most ${planned.writes}`],
    ['Logins', `${traffic.logins} of at most ${planned.logins}`],
    ['Failed logins', `${traffic.failedLogins} of at most ${planned.failedLogins}`],
  ];
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings and versions</h2>
      <p class="quiet">Secrets stand as names such as $TOKEN, here and everywhere in this page.</p>
      <dl class="facts">{facts.map(([name, value]) => [<dt>{name}</dt>, <dd>{value}</dd>])}</dl>
    </section>
  );
};
