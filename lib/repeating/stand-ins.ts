import type { Evidence } from '../judging/evidence.ts';
import { literalPattern } from '../patterns.ts';
import { operationOf } from '../reports/operation.ts';
import { TAGGING_PATH } from '../spec/operations.ts';
import { encoded } from '../spec/requests.ts';
import { template, type Template } from './template.ts';

/** A tag that the case makes anew: the variable of its tag_id, and the tag_id that it had in the report. */
export interface MadeTag {
  readonly variable: string;
  readonly tagId: string;
}

const PLAIN_NAME = /ct[a-z]{12}|C[tT][a-z]{12}|CT[A-Z]{12}|(?<![a-z])[a-z]{14}(?![a-z])/g;

/** A name of the case, with its variable. */
export interface RunName {
  readonly variable: string;
  /** The name in lower case, if the case needs it as it is; else every run makes up another one. */
  readonly letters?: string;
}

/** The shell expressions that replace the names and tag_ids of the report in the requests of a script. */
export class StandIns {
  readonly #names = new Map<string, string>();
  readonly #made: readonly MadeTag[];
  readonly #lettersSeen: string[] = [];
  readonly #areKept: boolean;

  /**
   * @param texts all texts of the case that may hold names of the run.
   * @param short names that may be the start of another one.
   * @param made the tags of the case, and the tag_ids in its requests that mean them.
   * @param options.keepsNames whether the names stay as they are, because the finding is about their letters.
   */
  constructor(
    texts: readonly string[],
    short: readonly string[],
    made: readonly MadeTag[],
    { keepsNames }: { readonly keepsNames: boolean },
  ) {
    this.#made = made.filter(({ tagId }) => tagId !== '');
    for (const text of texts)
      for (const [name] of text.matchAll(PLAIN_NAME)) {
        const letters = name.toLowerCase();
        if (!this.#lettersSeen.includes(letters)) this.#lettersSeen.push(letters);
        const variable = `NAME${this.#lettersSeen.indexOf(letters) + 1}`;
        this.#names.set(name, inCaseOf(name, variable));
      }
    this.#areKept = keepsNames || areAlike(this.#lettersSeen, texts);
    for (const start of short.filter((name) => /^[a-z]{4,13}$/.test(name))) {
      const whole = this.#lettersSeen.findIndex((letters) => letters.startsWith(start));
      if (whole >= 0) this.#names.set(start, `$(printf %.${start.length}s "$NAME${whole + 1}")`);
    }
  }

  /** The names that the expressions are made of. */
  get names(): readonly RunName[] {
    return this.#lettersSeen.map((letters, at) => ({
      variable: `NAME${at + 1}`,
      ...(this.#areKept ? { letters } : {}),
    }));
  }

  /** The names of the report with the expressions that replace them. */
  get ofNames(): ReadonlyMap<string, string> {
    return this.#names;
  }

  get made(): readonly MadeTag[] {
    return this.#made;
  }

  /** A text such as a body or a header; `more` holds further values with their expressions. */
  inText(text: string, more: ReadonlyMap<string, string> = new Map()): Template {
    const ids = this.#made.map(({ tagId, variable }) => [`"${tagId}"`, `\\"\${${variable}}\\"`] as const);
    return template(text, new Map([...this.#names, ...ids, ...more]));
  }

  /** A path, in which a tag_id may be followed by other text or be percent-encoded if it need not be. */
  inPath(path: string): Template {
    const filter = path.indexOf('?tag=') + '?tag='.length;
    const sought = this.#made.find(({ tagId }) => path.endsWith(`?tag=${encoded(tagId)}`));
    if (sought !== undefined) return [{ text: path.slice(0, filter) }, { shell: inPathOf(sought) }];
    const at = path.indexOf(`${TAGGING_PATH}/`);
    if (at < 0) return template(path, this.#names);
    const start = path.slice(0, at + TAGGING_PATH.length + 1);
    const segment = path.slice(start.length);
    const known = this.#made
      .flatMap((made) => {
        const written = [encoded(made.tagId), made.tagId].find((one) => begins(segment, one));
        return written === undefined ? [] : [{ ...made, written }];
      })
      .toSorted((one, other) => other.written.length - one.written.length)[0];
    if (known !== undefined)
      return [
        { text: start },
        { shell: inPathOf(known) },
        ...this.#inSegment(segment.slice(known.written.length)),
      ];
    const whole = this.#made.find(
      ({ tagId }) => segment.length >= LEAST_START && encoded(tagId) === tagId && tagId.startsWith(segment),
    );
    if (whole !== undefined)
      return [{ text: start }, { shell: `$(printf %.${segment.length}s "$${whole.variable}")` }];
    const place = segment.search(/%[\dA-Fa-f]{2}/);
    const same = place < 0 ? undefined : this.#made.find(({ tagId }) => decoded(segment) === tagId);
    return same === undefined
      ? [{ text: start }, ...this.#inSegment(segment)]
      : [{ text: start }, { shell: `$(encoded_at ${place} "$${same.variable}")` }];
  }

  /** A part of a path segment, in which a tag_id may stand between other characters. */
  #inSegment(text: string): Template {
    for (const made of this.#made) {
      const found = new RegExp(
        `(?<=^|%[\\dA-F]{2}|[^\\w%])${literalPattern(encoded(made.tagId))}(?!\\w)`,
      ).exec(text);
      if (found === null) continue;
      return [
        ...this.#inSegment(text.slice(0, found.index)),
        { shell: inPathOf(made) },
        ...this.#inSegment(text.slice(found.index + found[0].length)),
      ];
    }
    return template(text, this.#names);
  }
}

/** So many characters at the start of a tag_id are no tag_id of their own. */
const LEAST_START = 8;

/** So many letters in common are no chance. All names of the run may begin with the same two. */
const LETTERS_ALIKE = 5;

/**
 * Whether names share letters that made-up names would not share: the start or the end, the same letters in another order,
 * or those of another word of the case.
 */
function areAlike(names: readonly string[], texts: readonly string[]): boolean {
  const forms = names.flatMap((name) => [
    name.slice(0, LETTERS_ALIKE),
    name.slice(-LETTERS_ALIKE),
    [...name].toSorted().join(''),
  ]);
  if (new Set(forms).size < forms.length) return true;
  return texts.some((text) => {
    const others = text.replaceAll(PLAIN_NAME, ' ').toLowerCase();
    return names.some(
      (name) => others.includes(name.slice(0, LETTERS_ALIKE)) || others.includes(name.slice(-LETTERS_ALIKE)),
    );
  });
}

/** The expression for a name in the letter case that it has in the report. */
function inCaseOf(name: string, variable: string): string {
  if (name === name.toLowerCase()) return `\${${variable}}`;
  return name === name.toUpperCase() ? `$(upper "$${variable}")` : `$(title "$${variable}")`;
}

/** Whether a path segment begins with the tag_id. The start of a longer number would be another tag_id. */
const begins = (segment: string, id: string): boolean =>
  segment.startsWith(id) && !(/\d$/.test(id) && /^\d/.test(segment.slice(id.length)));

const inPathOf = ({ tagId, variable }: MadeTag): string =>
  encoded(tagId) === tagId ? `\${${variable}}` : `$(encoded "$${variable}")`;

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The tag_id in the path of an update or delete, as written there. */
export const addressedIn = ({ request: { url } }: Evidence): string | undefined =>
  url.split(`${TAGGING_PATH}/`)[1];

/** The tag_id in the answer to a create. */
export const createdBy = (exchange: Evidence): string | undefined =>
  operationOf(exchange) === 'create'
    ? /"tag_id"\s*:\s*"?([^",}]+)/.exec(exchange.answer?.body ?? '')?.[1]
    : undefined;
