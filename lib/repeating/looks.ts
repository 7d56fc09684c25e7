import type { Evidence } from '../judging/evidence.ts';
import { countIn, entriesOf } from './shape.ts';
import type { StandIns } from './stand-ins.ts';
import { template } from './template.ts';

/** What the lists at the end of a case show of its tags. */
export interface Looks {
  /** How many of the case's requests are such lists. */
  readonly lists: number;
  /** Texts, as shell expressions, whose tags are counted in each list. */
  readonly texts: readonly (readonly string[])[];
  /** What the report shows: whether each earlier request was accepted, and each list's status and counts. */
  readonly seen: string;
}

/** A text of letters as a shell expression. */
const expression = (text: string, names: ReadonlyMap<string, string>): string =>
  template(text, names)
    .map((part) => ('shell' in part ? part.shell : part.text))
    .join('');

/** The most texts that are counted in each list. */
const MOST_TEXTS = 12;

/**
 * Counts how often the lists at the end show the tags of the case, up to twice each.
 *
 * @param longer names that may have a plain one in them.
 * @param alone names whose tags are counted by themselves as well: those of the set-up, and of tags that should not be there.
 * @param listedAs names that the finding says that lists give to tags of the case. The tags that have them are counted first.
 */
export function looksOf(
  sent: readonly Evidence[],
  { ofNames, made }: StandIns,
  longer: readonly string[],
  alone: readonly string[],
  listedAs: readonly string[],
): Looks {
  const lists = sent.slice(sent.findLastIndex(({ request }) => request.method !== 'GET') + 1);
  const names = [
    ...ofNames,
    ...longer
      .filter((name) => !ofNames.has(name) && /^[\w ]+$/.test(name))
      .map((name) => [name, expression(name, ofNames)] as const),
  ];
  const quoted = ([value, shell]: readonly [string, string]): readonly [string, string] => [
    `"${value}"`,
    `\\"${shell}\\"`,
  ];
  // If a tag got another tag_id, both tag_ids have the same variable, and the last one counts.
  const ids = [...new Map(made.map(({ tagId, variable }) => [`\${${variable}}`, tagId]))].map(
    ([shell, tagId]) => quoted([tagId, shell]),
  );
  const shown = lists.flatMap(({ answer }) => entriesOf(answer?.body ?? ''));
  const told = listedAs
    .filter((name) => !/["\\$`]/.test(name))
    .map((name) => quoted([name, expression(name, ofNames)]))
    .flatMap((name) => ids.flatMap((id) => (countIn(shown, id[0], name[0]) > 0 ? [[id, name]] : [])));
  // Only the names that creates gave belong to the case alone: other tags of the run may have the names that updates
  // give.
  const created = sent.map(({ request: { method, body } }) =>
    method === 'POST' || body?.includes('"tag_id"') === true ? (body ?? '') : '',
  );
  const named = names.filter(([name]) => ids.length === 0 || created.some((body) => body.includes(name)));
  const own = names.filter((one) => named.includes(one) || alone.includes(one[0]));
  const counted = [
    ...told,
    ...ids.map((id) => [id]),
    ...ids.flatMap((id) => names.map((name) => [id, quoted(name)])),
    ...own.map((name) => [quoted(name)]),
    // Tags beside the case may have a longer name that contains the name from the set-up.
    ...named.map((name) => [name]),
  ].slice(0, MOST_TEXTS);
  const accepted = sent
    .slice(0, sent.length - lists.length)
    .map(({ answer: { status } = { status: 0 } }) => (status >= 200 && status < 300 ? 'yes' : 'no'));
  const seen = lists.flatMap(({ answer }) => {
    const entries = entriesOf(answer?.body ?? '');
    const counts = counted.map(([one, other]) => Math.min(2, countIn(entries, one?.[0] ?? '', other?.[0])));
    return [answer?.status ?? '000', ...counts];
  });
  return {
    lists: lists.length,
    texts: counted.map((texts) => texts.map(([, shell]) => shell)),
    seen: [...accepted, ...seen].join(' '),
  };
}
