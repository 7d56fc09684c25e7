import type { Exchange } from '../http/exchange.ts';
import { accepted, statusOf } from '../http/exchange.ts';
import { quote } from '../http/wording.ts';
import { listedIn, type Listed } from './listing.ts';
import type { Target } from './target.ts';

/** What a refused create left behind after all, with the exchanges that show it. */
export interface LeftBehind {
  readonly why: string;
  readonly exchanges: readonly Exchange[];
}

/** Names that frameworks give to a tag whose name is missing or no text. */
const NAMELESS = /^(\s*|null|none|nil|undefined|false|true|nan|\[object object\]|array|\{.*\}|\[.*\])$/i;

/** A tag may appear by chance, made by somebody else at that moment. Not just then, this often in a row. */
const CONFIRMATIONS = 3;

/**
 * Sends a create that must be refused and, where it is, looks whether a tag came of it all the same. A tag whose name carries a trace of the
 * request is one. A nameless one could be a stranger's, so it counts only where one appears anew each time that the
 * request is made.
 *
 * @param send makes the request; called again only on suspicion.
 * @param traces texts of this run that the tag's name would hold.
 */
export async function leavesNothing(
  target: Target,
  send: () => Promise<Exchange>,
  traces: readonly string[],
): Promise<{ readonly exchange: Exchange; readonly left?: LeftBehind }> {
  return target.alone(async () => {
    let first: Exchange | undefined;
    for (let time = 1; ; time++) {
      const [before, exchange, after] = [await target.list(), await send(), await target.list()];
      first ??= exchange;
      if (accepted(exchange)) return { exchange: first };
      const filtered = await Promise.all(traces.map((trace) => target.list(trace)));
      const known = new Set(listedIn(before)?.map(({ tagId }) => tagId));
      const listed = [after, ...filtered].flatMap((list) => listedIn(list) ?? []);
      const traced = listed.find(({ name }) => traces.some((trace) => String(name).includes(trace)));
      const shown = traced ?? listedIn(after)?.find((tag) => !known.has(tag.tagId) && isNameless(tag));
      if (listedIn(before) === undefined || shown === undefined) return { exchange: first };
      if (traced === undefined && time < CONFIRMATIONS) continue;
      const times = traced === undefined ? `, ${CONFIRMATIONS} times out of ${CONFIRMATIONS}` : '';
      return {
        exchange: first,
        left: {
          why: `answered ${statusOf(exchange)}, yet a tag named ${quote(shown.name)} is listed afterwards${times}`,
          exchanges: [before, exchange, after],
        },
      };
    }
  });
}

const isNameless = ({ name }: Listed): boolean => typeof name !== 'string' || NAMELESS.test(name);
