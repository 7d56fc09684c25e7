import type { Ask, HeaderLine } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { LOGIN_PATH, OPERATIONS, TAGGING_PATH, type Operation } from './operations.ts';

/** A body that is sent as it is, where `JSON.stringify` cannot produce it. */
export class RawBody {
  readonly content: string | Uint8Array;
  constructor(content: string | Uint8Array) {
    this.content = content;
  }
}

/** How a request differs from the well-formed, authorised one. */
export interface RequestOverrides {
  /** The token of the Authorization header; 'none' leaves the header out. */
  readonly token?: Secret | 'none';
  /** Headers to replace or add; null leaves one out. Names match in any letter case, and are sent as written here. */
  readonly headers?: Readonly<Record<string, string | Secret | null>>;
  /** Spells the names of all headers. */
  readonly spelling?: (name: string) => string;
  /** Whether the specification leaves the answer to this request open, for instance because of its body. */
  readonly open?: boolean;
}

/**
 * Encodes an id as one path segment.
 *
 * @throws Undecided for an empty id and for dot segments, which would address another resource.
 */
export function segment(tagId: string): string {
  if (tagId === '' || tagId === '.' || tagId === '..') {
    throw new Undecided('failure', `a tag_id of ${JSON.stringify(tagId)} cannot stand in a path`);
  }
  return encodeURIComponent(tagId.toWellFormed());
}

export const pathOf = {
  login: () => LOGIN_PATH,
  create: () => TAGGING_PATH,
  rename: (tagId: string) => `${TAGGING_PATH}/${segment(tagId)}`,
  /** @param query percent-encoded, such as `tag=x`. */
  list: (query?: string) => (query === undefined ? TAGGING_PATH : `${TAGGING_PATH}?${query}`),
  delete: (tagId: string) => `${TAGGING_PATH}/${segment(tagId)}`,
} as const;

/** A filter as a query. Everything but unreserved characters is percent-encoded (RFC 3986, 2.3). */
export const filterQuery = (name: string): string =>
  `tag=${encodeURIComponent(name.toWellFormed()).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`;

/** Builds a request: the headers that section 5 demands, with the departures from them. */
export function ask(
  operation: Operation,
  path: string,
  parts: {
    readonly body?: unknown;
    readonly token?: Secret;
    readonly contentType: boolean;
    readonly extra: readonly HeaderLine[];
    readonly departure?: RequestOverrides;
  },
): Ask {
  const lines: HeaderLine[] = [['Accept', 'application/json']];
  if (parts.contentType) lines.push(['Content-Type', 'application/json']);
  if (parts.token !== undefined) {
    lines.push([
      'Authorization',
      new Secret(`Bearer ${parts.token.reveal()}`, `Bearer ${parts.token.label}`),
    ]);
  }
  const departures = Object.entries(parts.departure?.headers ?? {});
  const kept = [...lines, ...parts.extra].filter(
    ([name]) => !departures.some(([other]) => other.toLowerCase() === name.toLowerCase()),
  );
  const added = departures.filter((line): line is [string, string | Secret] => line[1] !== null);
  return {
    operation,
    method: OPERATIONS[operation].method,
    path,
    headers: spelled([...kept, ...added], parts.departure?.spelling),
    regular: parts.departure === undefined,
    ...(parts.body === undefined ? {} : { body: written(parts.body) }),
  };
}

const spelled = (
  lines: readonly HeaderLine[],
  spelling: RequestOverrides['spelling'],
): readonly HeaderLine[] =>
  spelling === undefined ? lines : lines.map(([name, value]) => [spelling(name), value]);

const written = (body: unknown): string | Uint8Array | Secret => {
  if (body instanceof Secret) return body;
  return body instanceof RawBody ? body.content : JSON.stringify(body);
};
