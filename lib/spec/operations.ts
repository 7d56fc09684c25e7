/** The interface as data (sections 2, 4 and 5). The rest of the suite takes paths, methods and scopes from here. */

/** The five operations, as reports name them. */
export type Operation = 'login' | 'create' | 'rename' | 'list' | 'delete';

/** The four operations on tags, which need a token. */
export type TagOperation = Exclude<Operation, 'login'>;

/** What the specification calls an operation (4.3). */
export const nameOf = (operation: Operation): string => (operation === 'rename' ? 'update' : operation);

export const TAG_OPERATIONS: readonly TagOperation[] = ['create', 'rename', 'list', 'delete'];

/** Every operation with its method, and the statuses for which section 4 gives a body. */
export const OPERATIONS: Readonly<
  Record<Operation, { readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly given: readonly number[] }>
> = {
  login: { method: 'POST', given: [200, 302] },
  create: { method: 'POST', given: [200, 422] },
  rename: { method: 'PUT', given: [200, 422] },
  list: { method: 'GET', given: [200] },
  delete: { method: 'DELETE', given: [200, 404] },
};

/** The version prefix (9). The base URL does not include it. */
export const PREFIX = '/api/v2';

export const LOGIN_PATH = `${PREFIX}/auth/login`;
export const TAGGING_PATH = `${PREFIX}/tagging`;

/** The scopes of section 2, in its order. */
export const SCOPES = ['api', 'user', 'user_read', 'bank', 'bank_read', 'mutation', 'mutation_read'] as const;
type Scope = (typeof SCOPES)[number];

/** Whether a text is the name of a scope. */
export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** Access to all endpoints (2). */
export const FULL_ACCESS = ['api'] as const;

/** The scopes that lack full access. */
export const LIMITED_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'api');
