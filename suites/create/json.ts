import {
  accepted,
  broken,
  createdIn,
  holds,
  type Outcome,
  quote,
  RawBody,
  type Requirement,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';

/** Requirements about bodies that write the same JSON value in another way. */
export const jsonForms: readonly Requirement[] = [
  {
    id: 'create/json-spelling',
    effort: 'standard',
    section: '4.2',
    sentences: ['2/tag-name-meaning', '4/json-sent', '4.2/body', '5/content-type-purpose'],
    level: 'derived',
    derivation: 'Escapes and white space make no difference to what a JSON text means (RFC 8259, 2 and 7).',
    text: 'A name that is written with escapes and between white space is the same name.',
    cause: 'The body is searched as text, or parsed by something that is no JSON parser.',
    tags: 2,
    check: async (target) => {
      const name = target.name();
      const escaped = [...name]
        .map((char, at) => (at % 3 === 0 ? `\\u00${char.charCodeAt(0).toString(16)}` : char))
        .join('');
      return keepsSpelling(target, name, ` \r\n\t{ \n "n\\u0061me"\t:\n"${escaped}" } \n`);
    },
  },
  {
    id: 'create/json-escapes',
    effort: 'standard',
    section: '4.2',
    sentences: ['2/tag-name-meaning', '4/json-sent', '4.2/body', '5/content-type-purpose'],
    level: 'derived',
    derivation:
      'An escaped solidus and an escaped surrogate pair are the character that they stand for (RFC 8259, 7).',
    text: 'Escaped solidi and escaped surrogate pairs are the characters that they stand for.',
    cause: 'Escapes are undone by hand, or code units are taken for characters.',
    tags: 3,
    check: async (target) => {
      const twin = target.names.endingIn('a/😀');
      const plain = await target.create({ name: twin });
      const kept = (await target.lookUp(undefined, twin)).entries.some((entry) => entry.name === twin);
      if (!accepted(plain) || !kept)
        return undecided('choice', 'names with these characters are not taken as they are', plain);
      const name = target.names.endingIn('a/😀');
      return keepsSpelling(
        target,
        name,
        `{"name":"${name.replace('/', '\\/').replace('😀', '\\uD83D\\uDE00')}"}`,
      );
    },
  },
];

/** Whether a body that spells a name otherwise makes the tag of that name. */
async function keepsSpelling(target: Target, name: string, content: string): Promise<Outcome> {
  const exchange = await target.create(new RawBody(content), undefined, [name]);
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
  const { entries, exchanges } = await target.lookUp(answered?.tagId, name);
  const kept = [answered?.name, ...entries.map((entry) => entry.name)];
  return kept.includes(name)
    ? holds()
    : broken(`the name became ${quote(kept[0])}, not ${quote(name)}`, exchange, ...exchanges);
}
