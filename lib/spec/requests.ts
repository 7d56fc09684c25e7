import type { Ask, HeaderLine } from '../http/exchange.ts';
import { IN_CHUNKS } from '../http/on-the-wire.ts';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { LOGIN_PATH, OPERATIONS, TAGGING_PATH, type Operation } from './operations.ts';

/** A body that is sent unchanged, not as JSON. */
export class RawBody {
  readonly content: string | Uint8Array;
  constructor(content: string | Uint8Array) {
    this.content = content;
  }
}

/** How a request differs from the well-formed, authorised one. */
export interface RequestOverrides {
  /** The token of the Authorization header; `none` leaves the header out. */
  readonly token?: Secret | 'none';
  /**
   * Another token of the account in place of the run's own. Whatever is true of a request with the run's own token is true
   * of this one.
   */
  readonly standIn?: Secret;
  /** Whether to send this token even if it has ended, and not to replace it. */
  readonly keepsToken?: boolean;
  /** Headers to add or replace; null leaves one out. Names match in any letter case, and are sent as written here. */
  readonly headers?: Readonly<Record<string, string | Secret | null>>;
  /** Writes a tag_id as a path segment in another way than usual. */
  readonly segment?: (tagId: string) => string;
  /** Changes the path, without its query. */
  readonly path?: (path: string) => string;
  /** Changes the names of all headers. */
  readonly spelling?: (name: string) => string;
  /** Whether the body is sent in chunks, without Content-Length. */
  readonly isInChunks?: boolean;
  /** Whether the body is sent in two pieces, the second one a little after the first. */
  readonly isInPieces?: boolean;
  /** Whether the request is the first one of its connection. */
  readonly opensConnection?: boolean;
  /** Whether the specification leaves the answer to this request open, for instance because of its body. */
  readonly open?: boolean;
}

/** Whether a request is well formed and authorised, with the run's token or with one that stands in for it. */
export const isOrdinary = (overrides: RequestOverrides | undefined): boolean =>
  Object.keys(overrides ?? {}).every((key) => key === 'standIn' || key === 'opensConnection');

/** Whether a request has no token, or another one than the run's. */
export const hasOtherToken = ({ token, headers = {} }: RequestOverrides = {}): boolean =>
  token !== undefined || Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');

/**
 * Overrides for a request with another Authorization header than that of the run.
 *
 * @param label replaces the credential in evidence, such as `Bearer $TOKEN_CUT`.
 */
export const withCredential = (credential: string, label: string) =>
  ({
    token: 'none',
    headers: { Authorization: new Secret(credential, label) },
  }) as const satisfies RequestOverrides;

/**
 * A tag_id, percent-encoded for a path. Colons, at signs, commas, dollar and equals signs stay as they are: an encoded one would
 * make another address (RFC 3986, 2.2), and not every server decodes it.
 */
export const encodedId = (tagId: string): string =>
  encodeURIComponent(tagId.toWellFormed()).replace(/%(?:3A|40|2C|24|3D)/g, decodeURIComponent);

/**
 * A tag_id as one path segment.
 *
 * @throws Undecided for an empty tag_id and for dot segments, which would address another resource.
 */
export function segment(tagId: string): string {
  if (tagId === '' || tagId === '.' || tagId === '..') {
    throw new Undecided('failure', `a tag_id of ${JSON.stringify(tagId)} cannot stand in a path`);
  }
  return encodedId(tagId);
}

/** A text, percent-encoded for a path; unchanged if it has a lone surrogate, which cannot be encoded. */
export const encoded = (text: string): string => (/\p{Cs}/u.test(text) ? text : encodeURIComponent(text));

export const pathOf = {
  login: () => LOGIN_PATH,
  create: () => TAGGING_PATH,
  /** @param written writes the tag_id as a path segment. */
  rename: (tagId: string, written = segment) => `${TAGGING_PATH}/${written(tagId)}`,
  /** @param query encoded, such as `tag=x`. */
  list: (query?: string) => (query === undefined ? TAGGING_PATH : `${TAGGING_PATH}?${query}`),
  delete: (tagId: string, written = segment) => `${TAGGING_PATH}/${written(tagId)}`,
} as const;

/** The query of a filter. Everything but unreserved characters is percent-encoded (RFC 3986, 2.3). */
export const filterQuery = (name: string): string =>
  `tag=${encodeURIComponent(name.toWellFormed()).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`;

/** The name that a query filters by; undefined without a query. */
export const filterIn = (query: string | undefined): string | undefined =>
  query === undefined ? undefined : (new URLSearchParams(query).get('tag') ?? '');

/** The path to send: the overrides may change all of it but the query. */
export const writtenPath = (path: string, overrides: RequestOverrides | undefined): string =>
  overrides?.path === undefined ? path : path.replace(/^[^?]*/, overrides.path);

/** Builds a request with the headers that section 5 requires, and applies the overrides. */
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
  if (overrides?.isInChunks === true) lines.push(IN_CHUNKS);
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
    regular: isOrdinary(overrides),
    ...(overrides?.opensConnection === true ? { opensConnection: true } : {}),
    ...(overrides?.isInPieces === true ? { isInPieces: true } : {}),
    ...(body === undefined ? {} : { body: contentOf(body) }),
  };
}

function contentOf(body: unknown): string | Uint8Array | Secret {
  if (body instanceof Secret) return body;
  return body instanceof RawBody ? body.content : JSON.stringify(body);
}

/** The name in a body, or the strings to which a careless target could convert it. */
export function namesInBody(body: unknown): readonly [string, ...string[]] {
  if (typeof body !== 'object' || body === null || !('name' in body)) return [''];
  const { name } = body;
  if (typeof name === 'string') return [name];
  if (typeof name === 'boolean') return name ? ['true', 'True', 't', '1'] : ['false', 'False', 'f', '0'];
  const text = Array.isArray(name) ? name.join() : String(name);
  if (typeof name !== 'object' || name === null) return [text];
  // A target may take any text inside it for the name.
  const inside = Object.values(name).filter((value) => typeof value === 'string');
  return [text, ...new Set(inside.filter((value) => value !== text))];
}
