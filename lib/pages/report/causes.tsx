import type { Child } from 'hono/jsx';
import type { Evidence } from '../../judging/evidence.ts';
import { caseLine, inBrief } from '../../reports/brief.ts';
import { sentenceOf } from '../../reports/finding-lines.ts';
import { unlistedCauses } from '../../reports/known.ts';
import { repetitionOf } from '../../reports/repetition.ts';
import { intermittence } from '../../reports/steadiness.ts';
import type { Cause, Report, ReportedRequirement } from '../../reports/schema.ts';
import { sectionName } from '../../spec/sections.ts';
import { Copyable } from '../code.tsx';
import { Exchange, mattersIn } from '../exchange.tsx';
import { KnownFailures } from './known.tsx';
import { Badge } from '../verdict.tsx';

/** The most causes whose script is in the page. The command prints the scripts of the others. */
const MOST_SCRIPTS = 8;

/** The most exchanges of a cause that are shown in full. */
const MOST_EXCHANGES = 5;

/** The most requirements that are named in a line. */
const MOST_LINKS = 8;

/**
 * The obstacle of the run, the causes of the failures, and the warnings.
 *
 * @param file the report as JSON, which commands name.
 */
export const Causes = ({ report, file }: { report: Report; file: string }): Child => {
  const causes = unlistedCauses(report);
  return (
    <section aria-labelledby="causes">
      <h2 id="causes">Causes</h2>
      {report.fault === undefined ? null : (
        <div class="card bad">
          <h3>A fault of the suite</h3>
          <p>This is a defect of the suite, not of the target; please report it.</p>
          <Copyable text={report.fault} label="the fault" />
        </div>
      )}
      <Obstacle report={report} />
      {causes.length > 0 || report.obstacle !== undefined ? null : (
        <p>{report.causes.length > 0 ? 'All failures are known.' : 'No requirement that counts failed.'}</p>
      )}
      {causes.map((cause, at) => (
        <CauseCard cause={cause} at={at} report={report} file={file} />
      ))}
      <KnownFailures report={report} />
      <Warnings report={report} />
    </section>
  );
};

const Obstacle = ({ report: { obstacle } }: { report: Report }): Child =>
  obstacle === undefined ? null : (
    <div class="card bad">
      <h3>The run could not {obstacle.step}</h3>
      <p class="finding">{sentenceOf(obstacle.why)}</p>
      {obstacle.slip === undefined ? null : <p>{sentenceOf(obstacle.slip)}</p>}
      {obstacle.exchanges.slice(0, MOST_EXCHANGES).map((exchange) => (
        <Exchange exchange={exchange} withCommand />
      ))}
    </div>
  );

/** Where a cause stands. */
interface Place {
  /** Its number in the report, from 0. */
  readonly at: number;
  readonly report: Report;
  /** The report as JSON. */
  readonly file: string;
}

const CauseCard = ({ cause, at, report, file }: { cause: Cause } & Place): Child => {
  const one = report.requirements.find(({ id }) => id === cause.id);
  if (one === undefined) return null;
  const decisive = one.exchanges.find(({ decides }) => decides === true);
  const matters = mattersIn(one.reason);
  // If a list decides, it shows the effect of an earlier request.
  const write =
    decisive?.request.method === 'GET'
      ? one.exchanges.find(({ request, number }) => request.method !== 'GET' && number < decisive.number)
      : undefined;
  return (
    <article class="card bad" id={`cause/${one.id}`}>
      <h3>
        {at + 1}. <Badge verdict={one.verdict} /> <a href={`#${one.id}`}>{one.id}</a>{' '}
        <span class="quiet">
          ({sectionName(one.section)}, {one.level})
        </span>
      </h3>
      <p class="finding">{sentenceOf(one.reason)}</p>
      {one.example === undefined ? null : <p>{caseLine(one.example)}</p>}
      <Steadiness one={one} />
      <div class="sides">
        <div>
          <h4>Expected</h4>
          <pre tabindex={0} role="group" aria-label={`Expected by ${one.id}`}>
            {one.expected ?? one.text}
          </pre>
        </div>
        <div>
          <h4>Actual</h4>
          <pre tabindex={0} role="group" aria-label={`Actual answer for ${one.id}`}>
            {decisive === undefined ? sentenceOf(one.reason) : inBrief(decisive, 600)[1]}
          </pre>
        </div>
      </div>
      <Rule one={one} />
      {one.cause === undefined ? null : <p>Usually: {one.cause}</p>}
      <Following title="It explains" ids={cause.explains} />
      <Following title="Not decided because of it" ids={cause.waiting} />
      {write === undefined ? null : <Exchange exchange={write} />}
      {decisive === undefined ? null : <Exchange exchange={decisive} matters={matters} withCommand />}
      <OtherExchanges of={one.exchanges.filter((exchange) => exchange !== decisive && exchange !== write)} />
      <Repeating one={one} at={at} report={report} file={file} />
    </article>
  );
};

/** The sentence of the specification, the rule if it is not what is expected already, and why the rule follows. */
export const Rule = ({ one }: { one: ReportedRequirement }): Child => {
  const { level, text, expected, specification, derivation } = one;
  return (
    <>
      {expected === undefined ? null : <p>The rule: {text}</p>}
      {level !== 'required' || specification === undefined ? null : (
        <p>
          The specification, section {specification.section}: {specification.says}
        </p>
      )}
      {derivation === undefined ? null : <p>Why it follows from the specification: {derivation}</p>}
    </>
  );
};

export const Steadiness = ({ one }: { one: ReportedRequirement }): Child =>
  one.steadiness === undefined ? null : (
    <p class="quiet">{intermittence(one) ?? `It failed in each of ${one.steadiness.asked} checks.`}</p>
  );

const Following = ({ title, ids }: { title: string; ids: readonly string[] }): Child => {
  if (ids.length === 0) return null;
  const links = ids.map((id, at) => [at === 0 ? '' : ', ', <a href={`#${id}`}>{id}</a>]);
  return ids.length <= MOST_LINKS ? (
    <p>
      {title}: {links}
    </p>
  ) : (
    <details>
      <summary>
        {title}: {ids.length} requirements
      </summary>
      <p>{links}</p>
    </details>
  );
};

const OtherExchanges = ({ of: others }: { of: readonly Evidence[] }): Child => {
  if (others.length === 0) return null;
  const more = others.length - MOST_EXCHANGES;
  return (
    <details>
      <summary>
        {others.length} more {others.length === 1 ? 'exchange' : 'exchanges'} of this finding
      </summary>
      {others.slice(0, MOST_EXCHANGES).map((exchange) => (
        <Exchange exchange={exchange} />
      ))}
      {more > 0 ? <p>{more} more are in report.json.</p> : null}
    </details>
  );
};

/** How to see the finding again: one command, and the script that it runs. */
const Repeating = ({ one, at, report, file }: { one: ReportedRequirement } & Place): Child => {
  const { command, script } = repetitionOf(one, report.target, { file });
  return (
    <div>
      <h4>To see it again</h4>
      <Copyable text={command} label={`the command that repeats ${one.id}`} />
      {script === undefined || at >= MOST_SCRIPTS ? null : (
        <details>
          <summary>The shell script that repeats it</summary>
          <p>
            It needs <code>curl</code>, and the account in <code>CONFORMANCE_USERNAME</code> and{' '}
            <code>CONFORMANCE_PASSWORD</code>.
          </p>
          <Copyable text={script} label={`the script that repeats ${one.id}`} />
        </details>
      )}
    </div>
  );
};

const Warnings = ({ report: { requirements } }: { report: Report }): Child => {
  const warnings = requirements.filter(({ verdict }) => verdict === 'warn');
  return warnings.length === 0 ? null : (
    <div>
      <h3>Warnings</h3>
      <p class="quiet">
        Good practice, or a form that the specification lacks. They do not change the verdict.
      </p>
      <ul>
        {warnings.map(({ id, reason }) => (
          <li>
            <a href={`#${id}`}>{id}</a>: {sentenceOf(reason)}
          </li>
        ))}
      </ul>
    </div>
  );
};
