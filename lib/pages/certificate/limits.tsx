import type { Child } from 'hono/jsx';
import type { Predicate } from '../../certificate/statement.ts';

/** The limits of what was tested: what a certificate does not say. */
export function Limits({ predicate: { limits, seed, declaration } }: { predicate: Predicate }): Child {
  const { effort, allowed, sent, warned, inapplicable, undecided, notAsked } = limits;
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits of what was tested</h2>
      <ul>
        <li>
          The run sent {sent.requests} requests, {sent.writes} of them writes and {sent.logins} logins; its
          effort ({effort}) allows {allowed.requests}. Its generated cases come from the seed{' '}
          <code>{seed}</code>: others may fail.
        </li>
        <li>
          {declaration === 'given'
            ? 'The implementer declared answers to open questions, and the target gave them.'
            : 'The implementer declared nothing: the answers to open questions are those that were observed.'}
        </li>
        <Ids ids={warned} what="hold with a warning, or are good practice and do not hold" />
        <Ids ids={inapplicable} what="had nothing to check, by choices of the target" />
        <Ids ids={undecided} what="are advisory or open, and were not checked or not decided" />
      </ul>
      <details>
        <summary>
          {String(notAsked.length)} sentences of the specification are checked by no requirement
        </summary>
        <ul>
          {notAsked.map(({ section, says, why }) => (
            <li>
              Section {section}: {says} ({why})
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

const Ids = ({ ids, what }: { ids: readonly string[]; what: string }): Child =>
  ids.length === 0 ? null : (
    <li>
      {String(ids.length)} requirements {what}:{' '}
      {ids.map((id, at) => (
        <>
          {at === 0 ? '' : ', '}
          <code>{id}</code>
        </>
      ))}
    </li>
  );
