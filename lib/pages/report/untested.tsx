import type { Child } from 'hono/jsx';
import { counts } from '../../judging/judge.ts';
import { sentenceOf } from '../../reports/finding-lines.ts';
import type { Report, ReportedRequirement } from '../../reports/schema.ts';

/** What was not tested or could not be decided, once for each reason. */
export const Untested = ({ report }: { report: Report }): Child => {
  const { requirements, causes } = report;
  const waiting = new Set(causes.flatMap((cause) => cause.waiting));
  const skipped = requirements.filter(({ verdict }) => verdict === 'skipped');
  const undecided = requirements.filter(({ verdict, id }) => verdict === 'error' && !waiting.has(id));
  const awaiting = requirements.filter(({ verdict, id }) => verdict === 'error' && waiting.has(id));
  return (
    <section aria-labelledby="untested">
      <h2 id="untested">Not tested</h2>
      {skipped.length + undecided.length + awaiting.length === 0 ? (
        <p>Everything that was selected was tested and decided.</p>
      ) : null}
      <Reasons title="Left out" of={skipped} />
      <Reasons title="Could not be decided" of={undecided} />
      {awaiting.length === 0 ? null : (
        <p>{awaiting.length} more could not be decided because of the causes above, which name them.</p>
      )}
      <NotAsked report={report} />
    </section>
  );
};

/** Sentences of the specification that no requirement checks. */
const NotAsked = ({ report: { notAsked } }: { report: Report }): Child =>
  notAsked.length === 0 ? null : (
    <details>
      <summary>Sentences of the specification that no requirement checks: {notAsked.length}</summary>
      <ul>
        {notAsked.map(({ section, says, why }) => (
          <li>
            Section {section}: {says} <span class="quiet">{sentenceOf(why)}</span>
          </li>
        ))}
      </ul>
    </details>
  );

const Reasons = ({ title, of }: { title: string; of: readonly ReportedRequirement[] }): Child => {
  if (of.length === 0) return null;
  const reasons = [...new Set(of.map(({ reason }) => reason))];
  const counting = of.filter(counts).length;
  return (
    <div>
      <h3>
        {title}: {of.length} {of.length === 1 ? 'requirement' : 'requirements'}, {counting} of them required
        or derived
      </h3>
      <ul>
        {reasons.map((reason) => (
          <li>
            {sentenceOf(reason)}{' '}
            <span class="quiet">
              {of
                .filter((one) => one.reason === reason)
                .map(({ id }, at) => [at === 0 ? '' : ', ', <a href={`#${id}`}>{id}</a>])}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
};
