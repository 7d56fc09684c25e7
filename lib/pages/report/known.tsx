import type { Child } from 'hono/jsx';
import { entryText } from '../../known-failures/telling.ts';
import { sentenceOf } from '../../reports/finding-lines.ts';
import type { Report, ReportedRequirement } from '../../reports/schema.ts';

/** The entry of the list of known failures that accepts a finding. */
export const Known = ({ one: { known } }: { one: ReportedRequirement }): Child =>
  known === undefined ? null : (
    <p class="note">
      {sentenceOf(entryText(known))} <Link to={known.link} />
    </p>
  );

const Link = ({ to }: { to: string | undefined }): Child => (to === undefined ? null : <a href={to}>{to}</a>);

/** What a list of known failures did to the gate, if one was given. */
export const KnownFailures = ({ report: { knownFailures, requirements } }: { report: Report }): Child => {
  if (knownFailures === undefined) return null;
  const { file, known, problems } = knownFailures;
  return (
    <div>
      <h3>Known failures</h3>
      <p>
        {known.length === 0
          ? `${file} accepts no failure of this run.`
          : `${file} accepts ${known.length} of these failures. The verdict on the target does not change.`}
      </p>
      {known.length === 0 ? null : (
        <ul>
          {known.map((id) => {
            const one = requirements.find((requirement) => requirement.id === id);
            return (
              <li>
                <a href={`#${id}`}>{id}</a>
                {one?.known === undefined ? null : (
                  <>
                    : {sentenceOf(entryText(one.known))} <Link to={one.known.link} />
                  </>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {problems.length === 0 ? null : (
        <div class="card bad">
          <p>The list is out of date, which fails the gate:</p>
          <ul>
            {problems.map(({ sentence }) => (
              <li>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
};
