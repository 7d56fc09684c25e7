import type { Child } from 'hono/jsx';
import type { Report, ReportedRequirement } from '../../reports/schema.ts';

/** The topics of open questions, by the starts of their keys. */
const TOPICS: readonly (readonly [title: string, keys: RegExp])[] = [
  [
    'Refusals',
    /^(missingToken|invalidToken|insufficientScope|refusalBodies|tokenInQuery|lowerCaseScheme|basicCredentials)/,
  ],
  ['Logins and tokens', /login|token|scope|username/i],
  ['Lists and the filter', /^(filter|pagination|order|errorFlag)/],
  ['Names', /name/i],
  ['Updates', /Rename|OnUpdate/],
  ['Identifiers', /^(tagId|idReuse)/],
  ['Headers and bodies', /^(headers|malformedBody|doubledMembers)/],
  ['Limits and timing', /Limit|Quota|^concurrency|^readAfterWrite/],
];

/** The topic of questions that fit no other one. */
export const OTHERS = 'Other questions';

/** The topic of an open question. */
export const topicOf = (key: string): string => TOPICS.find(([, keys]) => keys.test(key))?.[0] ?? OTHERS;

/** What the specification leaves open and this target does, in sentences. */
export const Observations = ({ report }: { report: Report }): Child => {
  const questions = report.requirements.filter(({ key }) => key !== undefined && key !== 'scopes');
  const topics = [...TOPICS.map(([title]) => title), OTHERS];
  return (
    <section aria-labelledby="observations">
      <h2 id="observations">What the specification leaves open, and this target does</h2>
      {questions.length === 0 ? <p>No open question was asked.</p> : null}
      {topics.map((topic) => {
        const members = questions.filter(({ key = '' }) => topicOf(key) === topic);
        return members.length === 0 ? null : (
          <div>
            <h3>{topic}</h3>
            <ul>
              {members.map((one) => (
                <Observation one={one} />
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
};

const Observation = ({ one }: { one: ReportedRequirement }): Child => (
  <li>
    {one.said === undefined ? (
      <span class="quiet">
        {one.text} No answer: {one.reason}.
      </span>
    ) : (
      one.said
    )}
    {one.declared === undefined ? null : one.verdict === 'fail' ? (
      <strong class="bad"> Another answer is declared.</strong>
    ) : (
      <span class="quiet"> As declared.</span>
    )}{' '}
    <a href={`#${one.id}`} aria-label={`Evidence of ${one.id}`}>
      {one.id}
    </a>
  </li>
);
