import type { Child } from 'hono/jsx';
import type { Report } from '../../reports/schema.ts';
import { moment } from '../../reports/moment.ts';
import { Facts } from '../facts.tsx';

/** The settings of the run, without secrets, and the versions of everything that took part in it. */
export const Settings = ({ report }: { report: Report }): Child => {
  const { suite, runtime, specification, catalogue, planned, traffic, evidence } = report;
  const of = (kind: keyof typeof planned): string => {
    const [sent, counted] = [traffic[kind], traffic.counted[kind]];
    const more = sent === counted ? '' : `, ${sent} with those sent again or after the limit`;
    return `${counted} of at most ${planned[kind]}${more}`;
  };
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings and versions</h2>
      <SettingsTable report={report} />
      <Facts
        facts={[
          [
            'Suite',
            `${suite.name} ${suite.version}${suite.commit === undefined ? '' : `, commit ${suite.commit}`}${suite.changed === true ? ', changed since' : ''}`,
          ],
          ['Specification', specification && `${specification.title}, SHA-256 ${specification.sha256}`],
          ['Catalogue', `${catalogue.requirements} requirements, SHA-256 ${catalogue.sha256}`],
          ['Runtime', `Node.js ${runtime.node}, ${runtime.system}`],
          ['Requests', of('requests')],
          ['Requests that write', of('writes')],
          ['Logins', of('logins')],
          ['Failed logins', of('failedLogins')],
          [
            'Evidence',
            evidence && `${evidence.file} with ${evidence.entries} exchanges, SHA-256 ${evidence.sha256}`,
          ],
          ['Target', <Target report={report} />],
        ]}
      />
    </section>
  );
};

const SettingsTable = ({ report: { settings, effort, seed } }: { report: Report }): Child => (
  <>
    <p class="quiet">Names such as $TOKEN stand for secrets, here and everywhere on this page.</p>
    <div class="table" tabindex={0} role="group" aria-label="Table of settings">
      <table>
        <caption>
          Settings that were given; effort {effort}, seed {seed}
        </caption>
        <thead>
          <tr>
            <th scope="col">setting</th>
            <th scope="col">value</th>
            <th scope="col">from</th>
          </tr>
        </thead>
        <tbody>
          {settings.map(({ name, value, from }) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{value ?? <span class="quiet">secret</span>}</td>
              <td>{from}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
);

/** What the target stated about itself, and the connection to it. */
const Target = ({ report: { target, server, clock, connection } }: { report: Report }): Child => {
  const tls = connection?.tls;
  return [
    target,
    ...(server.length === 0 ? [] : [`; Server: ${server.join(', ')}`]),
    ...(clock === undefined
      ? []
      : [`; its clock is ${clock.aheadMs} ms ahead of ours, give or take ${clock.withinMs} ms`]),
    ...(connection === undefined ? [] : [`; ${connection.family}`]),
    ...(tls === undefined
      ? []
      : [
          `; ${tls.version} with ${tls.cipher}; certificate SHA-256 ${tls.certificate}, issued by ${tls.issuer}, valid until ${moment(tls.validTo)}`,
        ]),
  ].join('');
};
