import fc from 'fast-check';
import {
  type Exchange,
  generated,
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

/** A new name of a form, with further letters behind the plain ones. */
export function nameOf({ names }: Target, form: string, fill = ''): string {
  const [before = '', after = ''] = form.split(LETTERS);
  return names.around(before, `${fill}${after}`);
}

/** Whether a list shows the tag with a faithful form of its name. */
export const showsInForm = (list: Exchange, { tagId, name }: Tag): boolean =>
  listedIn(list)?.some(
    (entry) => entry.tagId === tagId && typeof entry.name === 'string' && isFormOf(entry.name, name),
  ) === true;

/** The most odd names that are sent as filters. */
const MOST_ODD = 3;

/**
 * Filters by names that the list without a filter shows wrongly. Only if the filtered list shows the right name is the other
 * list at fault: the run notices if they differ.
 */
export async function sendAsFilters(target: Target, odd: readonly Pick<Tag, 'name'>[]): Promise<void> {
  for (const { name } of odd.slice(0, MOST_ODD)) await target.list(name);
}

/** The form of a regular expression for a whole text. */
const PATTERN = `^${LETTERS}$`;

const CAPITAL = 'Q';

/** Characters with which creates of other kinds start or end names in every run: calculations, JSON texts, paths. */
const OF_OTHER_CREATES = { first: [...'#"-[{.='], last: [...')"!]}'] };

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
  const ofCapital = [`${CAPITAL}${LETTERS}`, `${LETTERS}${CAPITAL}`];
  return [...new Set([...all.slice(0, 1), ...ofCapital, ...all, ...edgesOf(PATTERN)])];
}

/** Forms of names that creates and updates send. */
interface Forms {
  readonly created: readonly string[];
  readonly updated: readonly string[];
}

/** No forms. */
export const NONE: Forms = { created: [], updated: [] };

/** The number of forms in the full account that are also sent as filters. */
export const MOST_SOUGHT = 9;

/** The sequences whose names get such forms, and how many each. */
const SEQUENCES = { count: 3, forms: 3 };

// The full account and the sequences cover forms at no cost. Together, their creates, updates and filters send nearly all
// characters at both ends.

/** The forms of the names of a sequence; none if it is not one of the first. */
export function formsOfSequence(target: Target, at: number): readonly string[] {
  const from = at * SEQUENCES.forms;
  return at < 0 || at >= SEQUENCES.count ? [] : drawnForms(target, from, from + SEQUENCES.forms);
}

/** The forms to which tags of the full account are updated, because one list shows many names there. */
export function formsOfFullAccount(target: Target): readonly string[] {
  const from = SEQUENCES.count * SEQUENCES.forms;
  const middle = from + MOST_SOUGHT;
  // A program that makes words singular drops the s.
  const others = paired(['\u0301', '😀', '#'], ['😀', '7', 's']);
  return [PATTERN, ...drawnForms(target, from, middle), ...others, ...drawnForms(target, middle, MOST_DRAWN)];
}

/** The full account has room for so many. */
const MOST_DRAWN = 23;

/** The number of tags of the full account that are made with a name that begins with such a character. */
const STARTS = 8;

/**
 * The forms with which tags of the full account are made: a capital letter or punctuation at both ends, and then punctuation at
 * the end only. The order of names that begin otherwise than with a plain name depends on the collation, so enough others are
 * left to show an order by name.
 */
export function formsOfFullCreates(target: Target): readonly string[] {
  const from = SEQUENCES.count * SEQUENCES.forms;
  const { first, last } = drawnCharacters(target);
  const [starts, ends] = [first, last].map((all) => all.slice(from).filter((char) => PUNCTUATION.test(char)));
  const [beforeCapital = '', ...before] = starts?.slice(0, STARTS) ?? [];
  const [behindCapital = '', ...behind] = ends ?? [];
  return [
    PATTERN,
    // A capital letter at one end only: two of them may be taken for a name in title case or in capitals.
    `${CAPITAL}${LETTERS}${behindCapital}`,
    `${beforeCapital}${LETTERS}${CAPITAL}`,
    ...paired(before, behind),
    ...behind.slice(before.length).map((end) => `${LETTERS}${end}`),
  ];
}

/** Punctuation of ASCII, which no lawful form changes. */
const PUNCTUATION = /^[!-/:-@[-`{-~]$/;

function drawnForms(target: Target, from: number, to: number): string[] {
  const { first, last } = drawnCharacters(target);
  return paired(first.slice(from, to), last.slice(from, to));
}

const paired = (first: readonly string[], last: readonly string[]): string[] =>
  first.map((start, at) => `${start}${LETTERS}${last[at] ?? ''}`);

/** The forms that were sent in any of these places so far, and what came of them. */
export interface FormsSent {
  readonly created: Set<string>;
  readonly updated: Set<string>;
  /** The forms that gave an unexpected result and must be checked again alone. */
  readonly odd: Set<string>;
  /** Whether something did not hold with such a form. Then they are sent in no further place. */
  hasMetOdd: boolean;
}

/** All checks of a run get the same record, to which `noteForms` adds. */
export const formsSent = (target: Target): Promise<FormsSent> =>
  target.shared(
    'edges of names',
    0,
    () => Promise.resolve({ created: new Set(), updated: new Set(), odd: new Set(), hasMetOdd: false }),
    { isKept: true },
  );

/** Notes forms that were sent somewhere, and the odd ones among them. */
export async function noteForms(
  target: Target,
  { created, updated }: Forms,
  odd: readonly string[] = [],
): Promise<void> {
  const sent = await formsSent(target);
  for (const form of created) sent.created.add(form);
  for (const form of updated) sent.updated.add(form);
  for (const form of odd) sent.odd.add(form);
  sent.hasMetOdd ||= odd.length > 0;
}

/**
 * Checks something with names of unusual forms, which covers these at no cost. If it does not hold, plain names decide, and
 * the requirement about the ends of names checks the forms alone.
 *
 * @param forms the forms that creates and updates send.
 * @param check checks it with names of these forms, or with plain names.
 */
export async function withForms(
  target: Target,
  forms: Forms,
  check: (hasForms: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  const sent = await formsSent(target);
  if (sent.hasMetOdd) return check(false);
  let first: Outcome | undefined;
  try {
    first = await check(true);
  } catch (error) {
    // An answer of a gateway, or none, leaves it undecided whether the forms are the cause. A lack of requests does not.
    if (!(error instanceof Undecided) || error.outcome.because === 'budget') throw error;
  }
  if (first?.kind === 'holds' && first.warning === undefined) {
    await noteForms(target, forms);
    return first;
  }
  const isLawful = first?.kind === 'holds' || first?.kind === 'undecided';
  let odd = isLawful ? [] : [...forms.created, ...forms.updated];
  sent.hasMetOdd ||= odd.length > 0;
  await target.removeTags();
  try {
    const plain = await check(false);
    if (plain.kind === 'broken') odd = [];
    if (first?.kind !== 'broken' || plain.kind !== 'holds') return plain;
    await target.removeTags();
    // A fault that shows only now and then does not depend on the names.
    return (await check(true)).kind === 'holds' ? first : plain;
  } finally {
    await noteForms(target, NONE, odd);
  }
}
