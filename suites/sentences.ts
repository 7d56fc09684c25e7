/** The SHA-256 of the bytes of the specification that this table was made for, in hexadecimal. */
export const SPECIFICATION_DIGEST = '63dac8298465eb5db4ae7fc51fdb0a8852a6c23d99a54db70bd70653ea64b603';

/** Ids of the requirements that ask a sentence, or the reason why none does. */
type Fate =
  | { readonly asked: readonly [string, ...string[]]; readonly notAsked?: never }
  | { readonly notAsked: string; readonly asked?: never };

/** One statement of the specification: a sentence or a part of it, a cell or a row of a table. */
export type Sentence = Fate & {
  /** The section that it stands in, such as `4.2`; `0` is what stands before the first one. */
  readonly section: string;
  /** Its name in this table, with the section before it: `4.2/status-200`. */
  readonly position: string;
  /** What it says, in our own words. */
  readonly says: string;
};

/** A section of the specification and its sentences, in the order of the document. */
export interface Section {
  readonly section: string;
  readonly title: string;
  readonly sentences: readonly Sentence[];
}

// Why a sentence is not asked.
const OPEN = 'left open by the specification';
const ABOUT_ITSELF = 'says what the document covers, and nothing that a server does';
const AREA = 'belongs to an area whose endpoints are not specified';
const UNSEEN = 'cannot be observed from outside';
const INTERFACE = 'is about pages for people, which are no part of the interface';

// Requirements that stand together in several places.
const HTTPS = ['transport/https', 'transport/certificate'] as const;
const LIMITED_SCOPES = [
  'login/scope-user',
  'login/scope-user-read',
  'login/scope-bank',
  'login/scope-bank-read',
  'login/scope-mutation',
  'login/scope-mutation-read',
] as const;
const EVERY_SCOPE = ['login/scope-api', ...LIMITED_SCOPES] as const;
const WRONG_CREDENTIALS = ['login/wrong-password', 'login/unknown-username'] as const;
const NO_TOKEN = [
  'token/missing-on-create',
  'token/missing-on-update',
  'token/missing-on-list',
  'token/missing-on-filtered-list',
  'token/missing-on-delete',
] as const;
const EVERY_NAME = [
  'name/letters',
  'name/blanks',
  'name/punctuation',
  'name/latin',
  'name/scripts',
  'name/emoji',
  'name/control-characters',
  'name/naughty-strings',
  'name/numbers',
  'name/long',
] as const;
const FOREIGN_TOKEN = ['token/empty', 'token/made-up', 'token/never-issued'] as const;
const ALTERED_TOKEN = [
  'token/payload-changed',
  'token/expiry-later',
  'token/signature-start-changed',
  'token/signature-end-changed',
  'token/signature-stripped',
  'token/algorithm-none',
  'token/half-way-changed',
  'token/end-changed',
  'token/end-cut',
] as const;
const NO_OBJECT = [
  'create/body-empty',
  'create/body-cut-short',
  'create/body-plain-words',
  'create/body-form',
  'create/body-scalar',
  'create/body-array',
] as const;
const CREATE_UNNAMED = ['create/name-missing', 'create/name-null'] as const;
const CREATE_MISNAMED = [
  'create/name-array',
  'create/name-object',
  'create/name-number',
  'create/name-boolean',
] as const;
const UPDATE_UNNAMED = ['update/name-missing', 'update/name-null'] as const;
const UPDATE_MISNAMED = [
  'update/name-array',
  'update/name-object',
  'update/name-number',
  'update/name-boolean',
] as const;
const LIST_ANSWERS = ['list/answers', 'list/answers-filtered', 'list/answers-nothing'] as const;

/** Each sentence of the specification from its first to its last, so that none is passed over in silence. */
export const sections: readonly Section[] = [
  section('0', 'before the first section', {
    coverage: {
      says: 'What is specified is authentication by tokens and the four operations on tags, as a whole.',
      notAsked: ABOUT_ITSELF,
    },
    'other-areas': {
      says: 'Whatever else the service has appears only as far as a scope is about it.',
      notAsked: ABOUT_ITSELF,
    },
  }),
  section('1', 'the service', {
    'json-over-https': {
      says: 'The service speaks JSON, over HTTPS.',
      asked: [...HTTPS, 'transport/framing', 'transport/json'],
    },
    account: {
      says: 'What a client works on is what belongs to its account.',
      asked: [
        'account/list-is-private',
        'account/filter-is-private',
        'account/update-is-private',
        'account/delete-is-private',
        'account/names-are-its-own',
        'overlap/accounts',
      ],
    },
    'account-records': {
      says: 'An account has bank accounts, and these have transaction records, called mutations.',
      notAsked: AREA,
    },
    'token-by-login': {
      says: 'Logging in, with credentials and the scopes that are wanted, gives an access token.',
      asked: ['login/answers', ...EVERY_SCOPE, 'login/several-scopes'],
    },
    bearer: {
      says: 'The token goes with every request, as a bearer credential.',
      asked: ['token/suffices', ...NO_TOKEN],
    },
    create: { says: 'Tags can be created.', asked: ['create/answers', 'create/persists'] },
    rename: { says: 'Tags can be renamed.', asked: ['update/answers', 'update/takes-effect'] },
    list: { says: 'Tags can be listed.', asked: ['list/answers', 'list/holds-all-tags'] },
    filter: {
      says: 'The list can be narrowed down by a name.',
      asked: ['list/answers-filtered', 'list/filter-includes', 'list/filter-excludes'],
    },
    delete: { says: 'Tags can be deleted.', asked: ['delete/answers', 'delete/takes-effect'] },
    'tag-members': {
      says: 'Every tag has an identifier beside its name.',
      asked: ['create/answers', 'create/persists', 'list/answers'],
    },
    'further-areas': {
      says: 'As the names of scopes tell, there is more: users, bank accounts, mutations.',
      notAsked: AREA,
    },
    'further-areas-behaviour': {
      says: 'Of those areas nothing is told but the names of their scopes.',
      notAsked: OPEN,
    },
    'base-address': {
      says: 'All paths stand behind one base address.',
      asked: ['transport/not-redirected'],
    },
    https: { says: 'No request goes over plain HTTP.', asked: HTTPS },
  }),
  section('2', 'resources and fields', {
    'tag-name-type': {
      says: 'The name of a tag is a string.',
      asked: ['create/answers', ...EVERY_NAME, 'list/answers', ...CREATE_MISNAMED, ...UPDATE_MISNAMED],
    },
    'tag-name-meaning': {
      says: 'The name of a tag is what the client called it.',
      asked: [
        'create/echoes-name',
        'create/persists',
        'create/json-spelling',
        'create/json-escapes',
        'update/takes-effect',
        ...EVERY_NAME,
        'name/distinct',
      ],
    },
    'tag-name-on-create': { says: 'A create has to give a name.', asked: CREATE_UNNAMED },
    'tag-name-on-update': { says: 'An update has to give a name.', asked: UPDATE_UNNAMED },
    'tag-id-type': { says: 'A tag_id is a string.', asked: ['create/answers', 'list/answers'] },
    'tag-id-meaning': {
      says: 'A tag_id tells its tag from every other one.',
      asked: ['create/distinct-ids', 'list/ids-once', 'update/others-stay', 'delete/others-stay'],
    },
    'tag-id-assigned': {
      says: 'The service chooses the tag_id when the tag is created.',
      asked: ['create/assigns-the-id', 'update/keeps-the-id'],
    },
    'tag-id-in-paths': {
      says: 'The tag_id is what stands for the tag in paths.',
      asked: [
        'update/takes-effect',
        'delete/takes-effect',
        'update/id-as-a-whole',
        'delete/id-as-a-whole',
        'create/persists',
      ],
    },
    'tag-name-length': { says: 'How long a name may be is not told.', asked: ['open/name-longest'] },
    'tag-name-uniqueness': {
      says: 'Whether two tags may have the same name is not told.',
      asked: ['open/name-unique'],
    },
    'tag-name-characters': {
      says: 'Of which characters a name may consist is not told.',
      asked: [
        'open/name-empty',
        'open/name-blank',
        'open/name-kept-form',
        'open/name-refused',
        'open/name-surrogates',
      ],
    },
    'tag-id-form': {
      says: 'What form a tag_id has is not told.',
      asked: ['open/tag-id-form', 'open/tag-id-encoding', 'open/tag-id-letter-case', 'open/tag-id-zeros'],
    },
    'access-token-type': { says: 'An access token is a string.', asked: ['login/answers'] },
    'access-token-meaning': {
      says: 'An access token is what a login gives and what requests present as their credential.',
      asked: ['login/answers', 'token/suffices', ...FOREIGN_TOKEN],
    },
    'access-token-signed': {
      says: 'An access token is signed, so that nobody but the service can make or change one.',
      asked: [...ALTERED_TOKEN, 'token/altered-anywhere', 'token/scope-widened', 'open/token-form'],
    },
    'access-token-signature': {
      says: 'Also a token that shows no signature in its form is signed.',
      notAsked: UNSEEN,
    },
    'scope-values': { says: 'A list of scopes is made of seven values.', asked: EVERY_SCOPE },
    'scope-other-values': {
      says: 'Other values are not allowed in a list of scopes.',
      asked: ['open/unknown-scope', 'open/scope-case'],
    },
    'scope-api': { says: 'api is a scope.', asked: ['login/scope-api'] },
    'scope-api-grants': {
      says: 'api opens every endpoint.',
      asked: ['scope/api-permits-all', 'scope/api-among-others', 'scope/any-order'],
    },
    'scope-user': { says: 'user is a scope.', asked: ['login/scope-user'] },
    'scope-user-grants': { says: 'user opens the management of users.', notAsked: AREA },
    'scope-user-only': {
      says: 'user opens nothing else.',
      asked: ['scope/other-areas-stay-out', 'scope/refusal-has-no-effect'],
    },
    'scope-user-read': { says: 'user_read is a scope.', asked: ['login/scope-user-read'] },
    'scope-user-read-grants': { says: 'user_read opens the profile, to be read.', notAsked: AREA },
    'scope-user-read-only': {
      says: 'user_read opens nothing else.',
      asked: ['scope/other-areas-stay-out', 'scope/refusal-has-no-effect'],
    },
    'scope-user-read-no-actions': {
      says: 'user_read lets its holder change nothing.',
      asked: ['scope/read-only-cannot-write', 'scope/refusal-has-no-effect'],
    },
    'scope-bank': { says: 'bank is a scope.', asked: ['login/scope-bank'] },
    'scope-bank-grants': { says: 'bank opens the management of bank accounts.', notAsked: AREA },
    'scope-bank-only': {
      says: 'bank opens nothing else.',
      asked: ['scope/other-areas-stay-out', 'scope/refusal-has-no-effect'],
    },
    'scope-bank-read': { says: 'bank_read is a scope.', asked: ['login/scope-bank-read'] },
    'scope-bank-read-grants': {
      says: 'bank_read opens what is known of bank accounts, to be read.',
      notAsked: AREA,
    },
    'scope-bank-read-only': {
      says: 'bank_read opens nothing else.',
      asked: ['scope/other-areas-stay-out', 'scope/refusal-has-no-effect'],
    },
    'scope-bank-read-no-actions': {
      says: 'bank_read lets its holder change nothing.',
      asked: ['scope/read-only-cannot-write', 'scope/refusal-has-no-effect'],
    },
    'scope-mutation': { says: 'mutation is a scope.', asked: ['login/scope-mutation'] },
    'scope-mutation-grants': { says: 'mutation opens all that concerns mutations.', notAsked: AREA },
    'scope-mutation-read': { says: 'mutation_read is a scope.', asked: ['login/scope-mutation-read'] },
    'scope-mutation-read-grants': {
      says: 'mutation_read opens what is known of mutations, to be read.',
      notAsked: AREA,
    },
    'scope-mutation-read-only': {
      says: 'mutation_read opens nothing else.',
      asked: ['open/scopes'],
    },
    'scope-mutation-read-no-actions': {
      says: 'mutation_read lets its holder change nothing.',
      asked: ['scope/read-only-cannot-write', 'scope/refusal-has-no-effect'],
    },
    'other-records': {
      says: 'Which members users, bank accounts and mutations have is not told.',
      notAsked: OPEN,
    },
  }),
  section('3', 'states', {
    states: { says: 'There is no word of any states.', notAsked: OPEN },
    transitions: {
      says: 'What states there are, and what leads from one to another, is not told.',
      notAsked: OPEN,
    },
  }),
  section('4', 'all endpoints', {
    'json-sent': {
      says: 'What requests hold is JSON.',
      asked: ['create/json-spelling', 'create/json-escapes', ...NO_OBJECT],
    },
    'json-accepted': {
      says: 'What requests are answered with is JSON.',
      asked: [
        'transport/json',
        'transport/media-type',
        'transport/media-type-named',
        'open/read-after-write',
      ],
    },
    bearer: {
      says: 'The endpoints beside login are closed to requests without a bearer token.',
      asked: [...NO_TOKEN, ...FOREIGN_TOKEN],
    },
    'login-exempt': {
      says: 'Login is open to requests without a token.',
      asked: ['login/needs-no-authorization'],
    },
  }),
  section('4.1', 'login', {
    path: {
      says: 'A POST to /api/v2/auth/login logs in.',
      asked: ['login/answers', 'transport/not-redirected'],
    },
    body: { says: 'The body of a login is a JSON object.', asked: ['login/answers'] },
    'username-type': {
      says: 'username is a string.',
      asked: ['login/answers', 'login/username-garbled', 'login/garbled-anyhow'],
    },
    'username-meaning': {
      says: 'username says which account.',
      asked: [
        'login/answers',
        'login/username-absent',
        'login/unknown-username',
        'login/tells-nobody-apart',
        'open/username-case',
      ],
    },
    'password-type': {
      says: 'password is a string.',
      asked: ['login/answers', 'login/password-garbled', 'login/garbled-anyhow'],
    },
    'password-meaning': {
      says: 'password is the one of that account.',
      asked: [
        'login/answers',
        'login/wrong-password',
        'login/password-letter-case',
        'login/password-prefix',
        'login/password-extended',
        'login/password-of-another',
        'login/password-absent',
        'login/password-empty',
      ],
    },
    'scopes-type': {
      says: 'scopes is an array of strings.',
      asked: [
        ...EVERY_SCOPE,
        'login/several-scopes',
        'scope/api-among-others',
        'open/scopes-as-string',
        'open/empty-scopes',
        'open/duplicate-scopes',
      ],
    },
    'scopes-meaning': {
      says: 'The token is given the scopes that stand in scopes.',
      asked: [
        'scope/api-permits-all',
        'scope/api-among-others',
        'scope/read-only-cannot-write',
        'scope/other-areas-stay-out',
      ],
    },
    'scopes-values': { says: 'The values in scopes are those of section 2.', asked: EVERY_SCOPE },
    'required-fields': {
      says: 'Which of these a login may leave out is not told.',
      asked: ['open/incomplete-login', 'open/missing-scopes'],
    },
    'status-200': {
      says: 'A login that succeeds is answered 200.',
      asked: ['login/answers', 'login/not-cacheable'],
    },
    'status-200-body': {
      says: 'The body of that 200 holds the token, as access_token.',
      asked: ['login/answers', 'login/token-fits-a-header', 'login/password-not-echoed'],
    },
    'status-302': { says: 'A login with wrong credentials is answered 302.', asked: WRONG_CREDENTIALS },
    'status-302-body': {
      says: 'The body of that 302 holds a message, a string.',
      asked: [
        'login/wrong-password',
        'login/unknown-username',
        'login/tells-nobody-apart',
        'login/password-not-echoed',
      ],
    },
  }),
  section('4.2', 'create', {
    path: {
      says: 'A POST to /api/v2/tagging creates a tag.',
      asked: ['create/answers', 'create/persists', 'create/lasts', 'transport/not-redirected'],
    },
    body: {
      says: 'The body of a create is a JSON object that holds the name.',
      asked: [
        'create/answers',
        'create/json-spelling',
        'create/json-escapes',
        ...NO_OBJECT,
        'open/malformed-body',
        'open/doubled-members',
      ],
    },
    'name-type': {
      says: 'The name in a create is a string.',
      asked: [...CREATE_MISNAMED, ...EVERY_NAME],
    },
    'name-required': { says: 'The name in a create must not be missing.', asked: CREATE_UNNAMED },
    'status-200': {
      says: 'A create that succeeds is answered 200.',
      asked: ['create/answers'],
    },
    'status-200-tagging': {
      says: 'The body of that 200 holds the tag that was made, as tagging.',
      asked: ['create/answers'],
    },
    'status-200-name': {
      says: 'The tag in the body of that 200 has its name, a string.',
      asked: ['create/answers', 'create/echoes-name', ...EVERY_NAME],
    },
    'status-200-tag-id': {
      says: 'The tag in the body of that 200 has its tag_id, a string.',
      asked: ['create/answers', 'create/persists', 'create/distinct-ids', 'create/assigns-the-id'],
    },
    'status-422': {
      says: 'A create that is not valid is answered 422, with the body of section 7.',
      asked: [
        ...EVERY_NAME,
        ...CREATE_UNNAMED,
        ...CREATE_MISNAMED,
        'error/validation-body',
        'error/names-the-field',
      ],
    },
  }),
  section('4.3', 'update', {
    path: {
      says: 'A PUT to /api/v2/tagging/ with a tag_id behind it updates a tag.',
      asked: ['update/answers', 'update/takes-effect', 'update/every-time', 'transport/not-redirected'],
    },
    'path-tag-id': {
      says: 'The tag_id in the path, a string, says which tag is updated.',
      asked: [
        'update/takes-effect',
        'update/others-stay',
        'update/keeps-the-id',
        'update/unknown-changes-nothing',
        'update/unknown-makes-nothing',
        'update/id-as-a-whole',
      ],
    },
    body: {
      says: 'The body of an update is a JSON object that holds the new name.',
      asked: ['update/answers', 'update/takes-effect', ...EVERY_NAME],
    },
    'name-type': {
      says: 'The new name is a string.',
      asked: [...UPDATE_MISNAMED, ...EVERY_NAME, 'open/same-name-rename', 'open/taken-name-rename'],
    },
    'name-required': { says: 'The new name must not be missing.', asked: UPDATE_UNNAMED },
    'status-200': {
      says: 'An update that succeeds is answered 200, which confirms that it was carried out.',
      asked: ['update/answers', 'update/takes-effect'],
    },
    'status-200-body': {
      says: 'The body of that 200 holds a message, a string.',
      asked: ['update/answers'],
    },
    'status-422': {
      says: 'An update that is not valid is answered 422, with the body of section 7.',
      asked: [
        ...UPDATE_UNNAMED,
        ...UPDATE_MISNAMED,
        'error/validation-body',
        'error/names-the-field',
        ...EVERY_NAME,
      ],
    },
  }),
  section('4.4', 'list', {
    path: {
      says: 'A GET of /api/v2/tagging lists tags.',
      asked: ['list/answers', 'list/changes-nothing', 'transport/not-redirected'],
    },
    'filter-type': {
      says: 'The query of a list can hold tag, a string.',
      asked: ['list/answers-filtered', 'name/punctuation'],
    },
    'filter-optional': { says: 'A list may leave out tag.', asked: ['list/answers', 'list/holds-all-tags'] },
    'filter-meaning': {
      says: 'By tag, a list is narrowed down to the tags whose names match.',
      asked: [
        'list/filter-includes',
        'list/filter-excludes',
        'list/answers-nothing',
        ...EVERY_NAME,
        'name/distinct',
      ],
    },
    'filter-match': {
      says: 'Whether the whole name has to match, or a part of it, is not told.',
      asked: [
        'open/filter-match',
        'open/filter-case',
        'open/filter-accents',
        'open/filter-wildcards',
        'open/filter-blanks',
        'open/filter-plus',
        'open/filter-empty',
        'open/filter-repeated',
        'open/filter-array',
      ],
    },
    'status-200': {
      says: 'A list is answered 200.',
      asked: LIST_ANSWERS,
    },
    'status-200-error': {
      says: 'The body of a list holds error, a boolean.',
      asked: [...LIST_ANSWERS, 'list/error-is-false', 'open/error-flag'],
    },
    'status-200-tagging': {
      says: 'The body of a list holds the tags that there are, as an array called tagging.',
      asked: [
        ...LIST_ANSWERS,
        'list/holds-all-tags',
        'list/ids-once',
        'list/shows-effects-at-once',
        'sequence/agrees-with-model',
        'overlap/creates',
        'overlap/explained-by-an-order',
        'overlap/reads-explained-by-an-order',
      ],
    },
    'status-200-name': {
      says: 'Each tag of a list has its name, a string.',
      asked: ['list/answers', 'list/answers-filtered', 'create/persists'],
    },
    'status-200-tag-id': {
      says: 'Each tag of a list has its tag_id, a string.',
      asked: ['list/answers', 'list/answers-filtered', 'create/persists'],
    },
    pagination: { says: 'Whether the list comes in pages is not told.', asked: ['open/pagination'] },
    order: { says: 'In which order the tags come is not told.', asked: ['open/order'] },
  }),
  section('4.5', 'delete', {
    path: {
      says: 'A DELETE of /api/v2/tagging/ with a tag_id behind it deletes a tag.',
      asked: ['delete/answers', 'delete/takes-effect', 'delete/after-update', 'transport/not-redirected'],
    },
    'path-tag-id': {
      says: 'The tag_id in the path, a string, says which tag is deleted.',
      asked: [
        'delete/takes-effect',
        'delete/others-stay',
        'delete/unknown-removes-nothing',
        'delete/id-as-a-whole',
        ...EVERY_NAME,
      ],
    },
    'path-tag-id-empty': {
      says: 'A delete whose path ends before the tag_id names no tag.',
      notAsked: 'could delete everything',
    },
    'status-200': {
      says: 'A delete that succeeds is answered 200, which confirms that it was carried out.',
      asked: ['delete/answers', 'delete/takes-effect', 'open/name-reuse', 'open/id-reuse'],
    },
    'status-200-body': {
      says: 'The body of that 200 holds a message, a string.',
      asked: ['delete/answers'],
    },
    'status-404': {
      says: 'A delete of a tag that is not there is answered 404.',
      asked: ['delete/again-404', 'delete/unknown-404'],
    },
    'status-404-body': {
      says: 'The body of that 404 holds a message, a string.',
      asked: ['delete/again-404', 'delete/unknown-404'],
    },
    'other-endpoints': { says: 'What other endpoints there are is not told.', notAsked: OPEN },
  }),
  section('5', 'authentication', {
    scheme: {
      says: 'Tokens are presented as OAuth presents bearer tokens.',
      asked: ['token/suffices', 'token/other-scheme', 'login/token-fits-a-header'],
    },
    substitute: {
      says: 'Whoever has a token needs neither username nor password.',
      asked: ['token/suffices', 'token/stands-for-the-account'],
    },
    'from-login': { says: 'One way to a token is a login.', asked: ['login/answers', 'token/suffices'] },
    'from-control-panel': {
      says: 'The other way to a token is the control panel of the account.',
      asked: ['token/from-the-control-panel'],
    },
    'control-panel-section': {
      says: 'The control panel makes tokens where it deals with apps and the API.',
      notAsked: INTERFACE,
    },
    'shown-once': {
      says: 'The control panel shows a token that it made once, and not again.',
      notAsked: UNSEEN,
    },
    'authorization-header': {
      says: 'The token stands in the Authorization header of every request that needs one, behind Bearer.',
      asked: ['token/suffices', ...NO_TOKEN, ...FOREIGN_TOKEN, 'token/other-scheme'],
    },
    https: { says: 'Whatever is requested is requested over HTTPS.', asked: HTTPS },
    'scopes-limit': {
      says: 'Scopes confine what a token can do.',
      asked: ['scope/read-only-cannot-write', 'scope/refusal-has-no-effect', 'token/scope-widened'],
    },
    'scopes-full': {
      says: 'One scope confines nothing: api.',
      asked: ['login/scope-api', 'scope/api-permits-all', 'scope/api-among-others'],
    },
    'scopes-by-area': {
      says: 'Each area has a scope to manage it and one to read it.',
      asked: [...LIMITED_SCOPES, 'scope/read-only-cannot-write', 'scope/other-areas-stay-out'],
    },
    'content-type-value': {
      says: 'Content-Type is application/json.',
      asked: ['token/suffices', 'transport/header-case', 'transport/content-type-with-charset'],
    },
    'content-type-purpose': {
      says: 'Content-Type says that the body of the request is JSON.',
      asked: ['create/json-spelling', 'create/json-escapes', ...NO_OBJECT],
    },
    'content-type-required': { says: 'Content-Type must not be missing.', asked: ['open/headers'] },
    'accept-value': {
      says: 'Accept is application/json.',
      asked: ['token/suffices', 'transport/header-case', 'transport/accept-with-weights'],
    },
    'accept-purpose': {
      says: 'Accept says that the body of the answer is to be JSON.',
      asked: ['transport/json', 'transport/media-type', 'transport/media-type-named'],
    },
    'accept-required': { says: 'Accept must not be missing.', asked: ['open/headers'] },
    'authorization-value': {
      says: 'Authorization is Bearer with the access token behind it.',
      asked: [
        'token/suffices',
        'token/other-scheme',
        'transport/header-case',
        'open/token-in-query',
        'open/lower-case-scheme',
        'open/basic-credentials',
      ],
    },
    'authorization-purpose': {
      says: 'Authorization is what shows who asks.',
      asked: [...NO_TOKEN, ...FOREIGN_TOKEN, 'token/stands-for-the-account'],
    },
    'token-lifetime': { says: 'How long a token lives is not told.', asked: ['open/token-lifetime'] },
    'token-expiry': {
      says: 'Whether and how a token ends is not told.',
      asked: ['open/earlier-tokens'],
    },
    'scope-permissions': {
      says: 'Which of the scopes are enough for which operations on tags is not told.',
      asked: ['open/scopes'],
    },
  }),
  section('6', 'events', {
    events: { says: 'Whether the service tells anybody of what happens is not told.', notAsked: OPEN },
  }),
  section('7', 'errors', {
    errors: {
      says: 'What can go wrong has a status, a condition and a body.',
      asked: ['transport/no-server-error', 'error/discloses-no-internals'],
    },
    'login-302': { says: 'Wrong credentials at a login are a 302.', asked: WRONG_CREDENTIALS },
    'login-302-body': {
      says: 'The body of that 302 has a message, a string.',
      asked: WRONG_CREDENTIALS,
    },
    'create-422': {
      says: 'A create with input that is missing or wrong is a 422.',
      asked: [...CREATE_UNNAMED, ...CREATE_MISNAMED, ...EVERY_NAME],
    },
    'update-422': {
      says: 'An update with input that is missing or wrong is a 422.',
      asked: [...UPDATE_UNNAMED, ...UPDATE_MISNAMED],
    },
    'missing-name-422': {
      says: 'A name that is not there is an example of such input.',
      asked: ['create/name-missing', 'update/name-missing'],
    },
    'validation-message': {
      says: 'The body of the 422 holds a message, for which a wording is given.',
      asked: ['error/validation-body', 'error/says-the-given-message'],
    },
    'validation-errors': {
      says: 'The body of the 422 holds errors, by the names of the fields.',
      asked: ['error/validation-body', 'error/names-the-field', 'error/says-something'],
    },
    'validation-error-lists': {
      says: 'For each field that it names, errors has an array of strings.',
      asked: ['error/validation-body', 'error/says-something'],
    },
    'validation-language': {
      says: 'The texts in the body of the 422 can be in the language of the country.',
      asked: ['error/says-the-given-message'],
    },
    'delete-404': {
      says: 'The delete of a tag that is not there is a 404.',
      asked: ['delete/again-404', 'delete/unknown-404'],
    },
    'delete-404-body': {
      says: 'The body of that 404 has a message, a string.',
      asked: ['delete/again-404', 'delete/unknown-404'],
    },
    'token-missing': {
      says: 'How a missing token is answered is not told.',
      asked: ['open/missing-token', 'open/refusal-bodies'],
    },
    'token-invalid': {
      says: 'How a token that is not valid is answered is not told.',
      asked: ['open/invalid-token', 'open/refusal-bodies'],
    },
    'scope-insufficient': {
      says: 'How a token without the scope that is needed is answered is not told.',
      asked: ['open/insufficient-scope'],
    },
    'update-unknown': {
      says: 'How the update of a tag that is not there is answered is not told.',
      asked: ['open/unknown-tag-on-update'],
    },
  }),
  section('8', 'limits', {
    rate: { says: 'How often a client may ask is not told.', asked: ['open/rate-limit'] },
    size: { says: 'How large anything may be is not told.', asked: ['open/body-limit', 'open/query-limit'] },
    quotas: { says: 'How much of anything an account may have is not told.', asked: ['open/tag-quota'] },
  }),
  section('9', 'versioning', {
    prefix: {
      says: 'The version stands in the paths of login and of tags, which begin with /api/v2.',
      asked: ['transport/not-redirected', 'login/answers', 'create/answers'],
    },
    deprecation: { says: 'How and when a version goes out of use is not told.', notAsked: OPEN },
    'other-mechanisms': {
      says: 'Whether a version can be chosen in another way is not told.',
      notAsked: OPEN,
    },
  }),
];

export const sentences: readonly Sentence[] = sections.flatMap((section) => section.sentences);

function section(
  number: string,
  title: string,
  sentences: Readonly<Record<string, Fate & Pick<Sentence, 'says'>>>,
): Section {
  return {
    section: number,
    title,
    sentences: Object.entries(sentences).map(([at, sentence]) => ({
      section: number,
      position: `${number}/${at}`,
      ...sentence,
    })),
  };
}
