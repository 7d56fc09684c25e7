import type { Ask, HeaderLine } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { LOGIN_PATH, OPERATIONS, TAGGING_PATH, type Operation } from './operations.ts';

/** A body that is sent as it is written, if it is not the JSON text of a value. */
export class RawBody {
  readonly content: string | Uint8Array;
  constructor(content: string | Uint8Array) {
    this.content = content;
  }
}

/** How a request differs from the well-formed, authorised one. */
export interface RequestOverrides {
  /** The credential of the Authorization header: another token, or none. */
  readonly token?: Secret | 'none';
  /** Whether that token is sent even if it has ended, and is not replaced. */
  readonly keepsToken?: boolean;
  /** Other headers; null leaves one out. Names are matched in any letter case and sent as written here. */
  readonly headers?: Readonly<Record<string, string | Secret | null>>;
  /** Writes a tag_id as another path segment than usual. */
  readonly segment?: (tagId: string) => string;
  /** Writes the path, without its query, in another way. */
  readonly path?: (path: string) => string;
  /** Spells the names of all headers. */
  readonly spelling?: (name: string) => string;
  /** Whether the request is the first one of its connection. */
  readonly opensConnection?: boolean;
  /** Whether the specification leaves the answer to this request open, for instance because of its body. */
  readonly open?: boolean;
}

/**
 * Overrides for a request with another Authorization header than that of the run.
 *
 * @param label stands for the credential in evidence, such as `Bearer $TOKEN_CUT`.
 */
export const withCredential = (credential: string, label: string) =>
  ({
    token: 'none',
    headers: { Authorization: new Secret(credential, label) },
  }) as const satisfies RequestOverrides;

/**
 * A tag_id as one path segment.
 *
 * @throws Undecided for an empty id and for dot segments, which would address another resource.
 */
export function segment(tagId: string): string {
  if (tagId === '' || tagId === '.' || tagId === '..') {
    throw new Undecided('failure', `a tag_id of ${JSON.stringify(tagId)} cannot stand in a path`);
  }
  return encodeURIComponent(tagId.toWellFormed());
}

/** A text as it stands in a path; a lone surrogate, which stands in none, is left as it is. */
export const encoded = (text: string): string => (/\p{Cs}/u.test(text) ? text : encodeURIComponent(text));

export const pathOf = {
  login: () => LOGIN_PATH,
  create: () => TAGGING_PATH,
  /** @param written another way to write the tag_id as a path segment. */
  rename: (tagId: string, written = segment) => `${TAGGING_PATH}/${written(tagId)}`,
  /** @param query as it is sent, such as `tag=x`. */
  list: (query?: string) => (query === undefined ? TAGGING_PATH : `${TAGGING_PATH}?${query}`),
  delete: (tagId: string, written = segment) => `${TAGGING_PATH}/${written(tagId)}`,
} as const;

/** The query of a filter. Everything but unreserved characters is percent-encoded (RFC 3986, 2.3). */
export const filterQuery = (name: string): string =>
  `tag=${encodeURIComponent(name.toWellFormed()).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`;

/** The name that a query filters by; undefined: it filters by none. */
export const filterIn = (query: string | undefined): string | undefined =>
  query === undefined ? undefined : (new URLSearchParams(query).get('tag') ?? '');

/** A path as it is sent: the overrides may write all but its query in another way. */
export const writtenPath = (path: string, overrides: RequestOverrides | undefined): string =>
  overrides?.path === undefined ? path : path.replace(/^[^?]*/, overrides.path);

/** Builds a request: the headers that section 5 demands, then the overrides. */
export function ask(
  operation: Operation,
  path: string,
  parts: {
    readonly body?: unknown;
    readonly token?: Secret | undefined;
    readonly contentType: boolean;
    readonly extra: readonly HeaderLine[];
    readonly overrides?: RequestOverrides | undefined;
  },
): Ask {
  const { body, token, contentType, extra, overrides } = parts;
  const lines: HeaderLine[] = [['Accept', 'application/json']];
  if (contentType) lines.push(['Content-Type', 'application/json']);
  if (token !== undefined)
    lines.push(['Authorization', new Secret(`Bearer ${token.reveal()}`, `Bearer ${token.label}`)]);
  const replacing = Object.entries(overrides?.headers ?? {});
  const kept = [...lines, ...extra].filter(
    ([name]) => !replacing.some(([other]) => other.toLowerCase() === name.toLowerCase()),
  );
  const added = replacing.filter((line): line is [string, string | Secret] => line[1] !== null);
  const spelling = overrides?.spelling ?? ((name: string) => name);
  return {
    operation,
    method: OPERATIONS[operation].method,
    path: writtenPath(path, overrides),
    headers: [...kept, ...added].map(([name, value]) => [spelling(name), value]),
    regular: overrides === undefined,
    ...(overrides?.opensConnection === true ? { opensConnection: true } : {}),
    ...(body === undefined ? {} : { body: contentOf(body) }),
  };
}

function contentOf(body: unknown): string | Uint8Array | Secret {
  if (body instanceof Secret) return body;
  return body instanceof RawBody ? body.content : JSON.stringify(body);
}

/** The name that a body gives a tag, or the texts that a careless target could make of it. */
export function namesIn(body: unknown): readonly [string, ...string[]] {
  if (typeof body !== 'object' || body === null || !('name' in body)) return [''];
  const { name } = body;
  if (typeof name === 'string') return [name];
  if (typeof name === 'boolean') return name ? ['true', 'True', '1'] : ['false', 'False', '0'];
  return [Array.isArray(name) ? name.join() : String(name)];
}
