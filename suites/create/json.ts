import {
  accepted,
  broken,
  createdIn,
  holds,
  type Outcome,
  quote,
  RawBody,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';

/** More than a buffer of 4 096 bytes holds. A target may refuse a body of this size (413). */
const MUCH_SPACE = ' '.repeat(4_200);

/** The end of a name, and the same with escapes. */
const ESCAPED = 'a/漢😀';
const IN_ESCAPES = String.raw`a\/\u6F22\uD83D\uDE00`;

/** Requirements about other ways to write the same JSON value. */
export const jsonForms: readonly Requirement[] = [
  {
    id: 'create/json-spelling',
    effort: 'standard',
    section: '4.2',
    sentences: ['2/tag-name-meaning', '4/json-sent', '4.2/body', '4.3/body', '5/content-type-purpose'],
    level: 'derived',
    derivation: 'Escapes and white space do not change the value of a JSON text (RFC 8259, 2 and 7).',
    text: 'A name that is written with escapes and surrounded by white space, also by thousands of blanks, is the same name.',
    cause:
      'The body is searched as text, cut at the size of a buffer, or parsed by something other than a JSON parser.',
    tags: 2,
    check: async (target) => {
      const escaped = (name: string): string =>
        [...name].map((char, at) => (at % 3 === 0 ? `\\u00${hexOf(char, at)}` : char)).join('');
      return keepsSpelling(
        target,
        () => target.name(),
        (name, space) => ` \r\n\t{\t${space} \n "n\\u0061\\u006De"\t:\n"${escaped(name)}" } \n`,
      );
    },
  },
  {
    id: 'create/json-escapes',
    effort: 'standard',
    section: '4.2',
    sentences: ['2/tag-name-meaning', '4/json-sent', '4.2/body', '4.3/body', '5/content-type-purpose'],
    level: 'derived',
    derivation: 'An escaped solidus, letter or surrogate pair means the character itself (RFC 8259, 7).',
    text: 'A name with an escaped solidus, an escaped letter outside Latin-1 and an escaped surrogate pair is the name with these characters.',
    cause: 'Escapes are decoded by hand-written code, or UTF-16 code units are taken for characters.',
    tags: 3,
    check: async (target) => {
      const twin = target.names.endingIn(ESCAPED);
      const plain = await target.create({ name: twin });
      const { good: kept } = await target.until(
        () => target.lookUp(undefined, twin),
        ({ entries }) => entries.some((entry) => entry.name === twin) || !accepted(plain),
        { late: 'ignored' },
      );
      if (!accepted(plain) || !kept)
        return undecided('choice', 'the target does not keep names with these characters unchanged', plain);
      return keepsSpelling(
        target,
        () => target.names.endingIn(ESCAPED),
        (name, space) => `{\t${space}"name" : "${name.replace(ESCAPED, IN_ESCAPES)}"}`,
      );
    },
  },
];

/** The code of a character, with small and with capital hexadecimal digits in turn (RFC 8259, 7). */
function hexOf(char: string, at: number): string {
  const hex = char.charCodeAt(0).toString(16);
  return at % 2 === 0 ? hex.toUpperCase() : hex;
}

/** Writes a body in which the name is spelled in another way, with this white space in it. */
type Spelling = (name: string, space: string) => string;

/** Checks that a create and an update with a respelled name have the effect of the plain name. */
async function keepsSpelling(
  target: Target,
  nextName: () => string,
  contentOf: Spelling,
  space = MUCH_SPACE,
): Promise<Outcome> {
  const name = nextName();
  const exchange = await target.create(new RawBody(contentOf(name, space)), undefined, [name]);
  if (statusOf(exchange) === 413 && space !== '') return keepsSpelling(target, nextName, contentOf, '');
  if (!accepted(exchange)) {
    const twin = await target.create({ name: target.name() });
    return accepted(twin)
      ? broken(
          `${whatCame(exchange)}, though the body means the same as one that is accepted`,
          exchange,
          twin,
        )
      : undecided('failure', `a create ${whatCame(twin)}`, twin);
  }
  const answered = createdIn(exchange);
  const { seen } = await target.until(
    () => target.lookUp(answered?.tagId, name),
    ({ entries }) => entries.length > 0 || answered?.name === name,
    { late: 'ignored' },
  );
  const { entries, exchanges } = seen;
  const kept = [answered?.name, ...entries.map((entry) => entry.name)];
  if (!kept.includes(name))
    return broken(`the name became ${quote(kept[0])}, not ${quote(name)}`, exchange, ...exchanges);
  return answered === undefined
    ? holds()
    : renamesBySpelling(target, { tagId: answered.tagId, name }, nextName(), (next) =>
        contentOf(next, space),
      );
}

/** Checks that an update with a respelled name gives the tag that name. */
async function renamesBySpelling(
  target: Target,
  tag: Tag,
  name: string,
  contentOf: (name: string) => string,
): Promise<Outcome> {
  const exchange = await target.rename(tag.tagId, new RawBody(contentOf(name)), undefined, name);
  if (!accepted(exchange)) {
    const twin = await target.rename(tag.tagId, { name });
    return accepted(twin)
      ? broken(
          `the update ${whatCame(exchange)}, though its body means the same as one that is accepted`,
          exchange,
          twin,
        )
      : undecided('failure', `an update ${whatCame(twin)}`, twin);
  }
  const { seen, good } = await target.untilListed(tag.tagId, name);
  if (good) return holds();
  const now = seen.entries.find(({ tagId }) => tagId === tag.tagId)?.name;
  const plain = target.name();
  const twin = await target.rename(tag.tagId, { name: plain });
  // Another requirement reports updates that have no effect at all.
  if (!accepted(twin) || !(await target.untilListed(tag.tagId, plain)).good)
    return undecided('failure', 'an update with a plain name has no effect either', twin);
  const found =
    now === undefined ? 'no list shows the tag' : `the tag is named ${quote(now)}, not ${quote(name)}`;
  return broken(`the update ${whatCame(exchange)}, but ${found}`, exchange, ...seen.exchanges, twin);
}
