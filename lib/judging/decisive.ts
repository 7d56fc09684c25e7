import type { Exchange } from '../http/exchange.ts';
import { lineOf, unquoted } from '../http/wording.ts';
import { TAGGING_PATH } from '../spec/operations.ts';

/** Matches sentences about an effect, which a list shows. */
const EFFECT =
  /\b(listed|(?<!may not |could |with a )lists?|is (?:now )?named|is not found|that tag alone|no effect|leaves it out|does not find|carried out|is gone|the filter by)\b|^the update .* became\b/s;

/** Matches sentences about a wrong answer to a list. */
const ANSWER_OF_LIST = /^the list answered \d{3}\b(?!.*\b(?:another tag|yet)\b)/s;

/**
 * The exchange that decides a finding: the one whose request and status the sentence names, else the last list for a finding
 * about an effect, else the first with the status, else the first. Checks put the request at fault before its twin.
 */
export function decisiveOf(why: string, exchanges: readonly Exchange[]): Exchange | undefined {
  const named = exchanges.filter((exchange) => why.includes(lineOf(exchange)));
  const status = /\banswered (\d{3})\b/.exec(why)?.[1];
  const ofStatus = (all: readonly Exchange[]): Exchange | undefined =>
    all.find(({ answer }) => String(answer?.status) === status);
  const lists = exchanges.filter(({ ask }) => ask.operation === 'list');
  if (ANSWER_OF_LIST.test(why)) return ofStatus(lists) ?? exchanges[0];
  // A list that shows a wrong effect comes last.
  const list = EFFECT.test(why) ? lists.at(-1) : undefined;
  return ofStatus(named) ?? list ?? ofStatus(exchanges) ?? exchanges[0];
}

/**
 * The tag_ids and names of the tags that a finding is about: those that its sentence quotes, and those that its requests
 * made or addressed.
 */
export function meantBy(why: string, exchanges: readonly Exchange[]): ReadonlySet<string> {
  const quoted = [...why.matchAll(/"(?:[^"\\]|\\.)*"/gs)].map(([literal]) => unquoted(literal));
  const addressed = exchanges.flatMap(({ ask: { path } }) =>
    path.startsWith(`${TAGGING_PATH}/`) ? [path.slice(TAGGING_PATH.length + 1)] : [],
  );
  const made = exchanges
    .filter(({ ask }) => ask.operation === 'create')
    .flatMap((exchange) => {
      const body = exchange.answer?.json.value;
      const tag: unknown = typeof body === 'object' && body !== null && 'tagging' in body ? body.tagging : {};
      return Object.values(typeof tag === 'object' && tag !== null ? tag : {});
    });
  return new Set([...quoted, ...addressed, ...made.filter((value) => typeof value === 'string')]);
}
