import fc from 'fast-check';
import {
  type Exchange,
  generated,
  ifDecided,
  listedIn,
  type Outcome,
  type Tag,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { isFormOf } from './kept-form.ts';

/** The placeholder for a plain name in a form. */
export const LETTERS = '§';

/** Characters that programs drop, escape or interpret at the start or the end of a text, and letters of each kind. */
const CHARACTERS = [...`#@/.-=+*&?"'(<[{,:;!\\~_%^$|\`>)]}Q7éя漢😀`];

/** A name that begins with a combining mark. */
const MARK_START = `\u0301${LETTERS}`;

/** Names that begin with one character. */
export const FIRST = [...CHARACTERS.map((char) => `${char}${LETTERS}`), MARK_START];

/** Names that end with one character. */
export const LAST = CHARACTERS.map((char) => `${LETTERS}${char}`);

/**
 * Forms of names with one of these characters at each end. There are as many forms as the longer of both lists needs.
 */
export function formsOf(edges: readonly string[]): string[] {
  const charsOf = (some: readonly string[]): string[] => some.map((edge) => edge.replace(LETTERS, ''));
  const first = charsOf(edges.filter((edge) => edge.endsWith(LETTERS)));
  const last = charsOf(edges.filter((edge) => !edge.endsWith(LETTERS)));
  const count = Math.max(first.length, last.length);
  return Array.from({ length: count }, (_, at) => `${first[at] ?? ''}${LETTERS}${last[at] ?? ''}`);
}

/** The two ends of a form. */
export function edgesOf(form: string): [string, string] {
  const [before = '', after = ''] = form.split(LETTERS);
  return [`${before}${LETTERS}`, `${LETTERS}${after}`];
}

/** A new name of a form. */
export function nameOf({ names }: Target, form: string): string {
  const [before = '', after = ''] = form.split(LETTERS);
  return names.around(before, after);
}

/** Whether a list shows the tag with a faithful form of its name. */
export const showsInForm = (list: Exchange, { tagId, name }: Tag): boolean =>
  listedIn(list)?.some(
    (entry) => entry.tagId === tagId && typeof entry.name === 'string' && isFormOf(entry.name, name),
  ) === true;

/** The form of a regular expression for a whole text. */
const PATTERN = `^${LETTERS}$`;

const CAPITAL = `Q${LETTERS}Q`;

/** Characters with which creates of other kinds start or end names in every run: calculations, JSON texts, paths. */
const OF_OTHER_CREATES = { first: [...'#"-[{.='], last: [...',"!]}'] };

/** Characters of a kind of which one is enough: programs treat all digits, emoji, and letters of a script alike. */
const OF_KINDS = [...'7éя漢😀', '\u0301'];

/** The characters at the ends of names, the likeliest to be overlooked first. Their order depends on the seed. */
function drawnCharacters(target: Target): {
  readonly first: readonly string[];
  readonly last: readonly string[];
} {
  const [before = '', after = ''] = PATTERN.split(LETTERS);
  const inOrder = (edges: readonly string[], others: readonly string[]): string[] => {
    const all = edges.map((edge) => edge.replace(LETTERS, ''));
    const later = [...others, ...OF_KINDS];
    return [...all.filter((char) => !later.includes(char)), ...later.filter((char) => all.includes(char))];
  };
  const [firsts = [], lasts = []] =
    generated.drawn(target, 'name/edges', fc.tuple(shuffled(FIRST), shuffled(LAST)))[0] ?? [];
  return {
    first: inOrder(firsts, OF_OTHER_CREATES.first).filter((char) => char !== before),
    last: inOrder(lasts, OF_OTHER_CREATES.last).filter((char) => char !== after),
  };
}

const shuffled = (edges: readonly string[]): fc.Arbitrary<string[]> =>
  fc.shuffledSubarray([...edges], { minLength: edges.length });

/**
 * All characters at both ends. A capital letter, which stands for all, comes early: at the end of the first form and at the
 * start of the second one. Then come those that are the likeliest to be overlooked.
 */
export function drawnEdges(target: Target): string[] {
  const { first, last } = drawnCharacters(target);
  const all = [...first.map((char) => `${char}${LETTERS}`), ...last.map((char) => `${LETTERS}${char}`)];
  const [start, end] = edgesOf(CAPITAL);
  return [...new Set([...all.slice(0, 1), start, end, ...all, ...edgesOf(PATTERN)])];
}

/** Forms that names had somewhere, and what came of them. */
export interface FormsSent {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** The forms that gave an unexpected result and must be checked again alone. */
  readonly odd: readonly string[];
}

const NONE: FormsSent = { created: [], updated: [], odd: [] };

/** Where tags get such names in updates, because one list shows many names there. */
export const FULL_ACCOUNT = 'the full account';

/** The cases of sequences whose names get such forms: three each. */
const SEQUENCES = ['sequence 1', 'sequence 2', 'sequence 3'];

/** The number of forms in the full account that are also sent as filters. */
export const MOST_SOUGHT = 9;

/**
 * The forms that names get in a place besides the requirement about them, which covers them at no cost. Together, the
 * creates, the updates and the filters send nearly all characters at both ends.
 */
export function formsFor(target: Target, where: string): Pick<FormsSent, 'created' | 'updated'> {
  const { first, last } = drawnCharacters(target);
  const pair = (some: readonly string[], others: readonly string[]): string[] =>
    some.map((start, at) => `${start}${LETTERS}${others[at] ?? ''}`);
  const of = (from: number, to: number): string[] => pair(first.slice(from, to), last.slice(from, to));
  const sequence = SEQUENCES.indexOf(where);
  if (sequence >= 0) {
    const forms = of(3 * sequence, 3 * sequence + 3);
    return { created: forms, updated: forms };
  }
  if (where !== FULL_ACCOUNT) return NONE;
  const ofKinds = pair(['\u0301', '😀', '7'], ['😀', '7', 'Q']);
  return { created: [], updated: [PATTERN, ...of(9, 18), ...ofKinds, ...of(18, 23)] };
}

/** Notes the forms that were sent somewhere at the first call in a run, and returns the noted ones. */
const formsSent = (target: Target, where: string, sent: FormsSent = NONE): Promise<FormsSent> =>
  target.shared(`edges of names in ${where}`, 0, () => Promise.resolve(sent), { isKept: true });

/** The forms that were sent anywhere. */
export async function allFormsSent(target: Target): Promise<FormsSent> {
  const places = [FULL_ACCOUNT, ...SEQUENCES];
  const all = await Promise.all(places.map((where) => formsSent(target, where)));
  return {
    created: all.flatMap(({ created }) => created),
    updated: all.flatMap(({ updated }) => updated),
    odd: all.flatMap(({ odd }) => odd),
  };
}

/** The runs, by their names, in which something did not hold with such a form. To find out why takes requests. */
const runsWithOddForms = new WeakSet<Target['names']>();

/** Whether something did not hold with such a form in this run, so that it is sent in no further place. */
export const metOddForm = ({ names }: Target): boolean => runsWithOddForms.has(names);

/** Notes the forms that were sent somewhere, and the odd ones among them; once in a run. */
export async function noteForms(target: Target, where: string, sent: FormsSent): Promise<void> {
  if (sent.odd.length > 0) runsWithOddForms.add(target.names);
  await formsSent(target, where, sent);
}

/**
 * Checks something with names of unusual forms, which covers these at no cost. If it does not hold, plain names decide, and
 * the requirement about the ends of names checks the forms alone.
 *
 * @param sent the forms that creates and updates send.
 * @param check checks it with names of these forms, or with plain names.
 */
export async function withForms(
  target: Target,
  where: string,
  sent: Pick<FormsSent, 'created' | 'updated'>,
  check: (hasForms: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  if (metOddForm(target)) return check(false);
  // An answer of a gateway, or none, leaves it undecided whether the forms are the cause.
  const first = await ifDecided(() => check(true));
  if (first?.kind === 'holds' && first.warning === undefined) {
    await noteForms(target, where, { ...sent, odd: [] });
    return first;
  }
  const isLawful = first?.kind === 'holds' || first?.kind === 'undecided';
  let odd = isLawful ? [] : [...new Set([...sent.created, ...sent.updated])];
  if (odd.length > 0) runsWithOddForms.add(target.names);
  await target.removeTags();
  try {
    const plain = await check(false);
    if (plain.kind === 'broken') odd = [];
    if (first?.kind !== 'broken' || plain.kind !== 'holds') return plain;
    await target.removeTags();
    // A fault that shows only now and then does not depend on the names.
    return (await check(true)).kind === 'holds' ? first : plain;
  } catch (error) {
    // Without requests for plain names, the finding stands.
    if (first?.kind === 'broken' && error instanceof Undecided) return first;
    throw error;
  } finally {
    await noteForms(target, where, { ...NONE, odd });
  }
}
