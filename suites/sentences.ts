import type { Requirement } from '../lib/check.ts';

/** The title of the specification. */
export const SPECIFICATION_TITLE = 'Account Mutation API: Authentication and Tagging';

/**
 * The SHA-256 of the specification for which this table was made, in hexadecimal, as `sha256sum` prints it for the
 * file. It is a constant because the specification is not part of the repository. When the specification changes,
 * update the table first and then this digest. A test compares the digest with the file if it is there.
 */
export const SPECIFICATION_DIGEST = '63dac8298465eb5db4ae7fc51fdb0a8852a6c23d99a54db70bd70653ea64b603';

/**
 * Every statement of the specification, in the order of the document: a sentence or a part of one, a cell or a row of a
 * table. The key is its position: the section (`0` is the text before section 1) and a name. The value is what it
 * states.
 */
const SENTENCES = {
  '0/coverage': 'The document specifies token authentication and the four operations on tags completely.',
  '0/other-areas': 'Other areas of the service are named only if a scope refers to them.',

  '1/json-over-https': 'The service speaks JSON over HTTPS.',
  '1/account': 'A client works on the data of its account.',
  '1/account-records': 'An account has bank accounts, and these have transaction records, called mutations.',
  '1/token-by-login': 'A login with credentials and a list of scopes gives an access token.',
  '1/bearer': 'The token goes with every request as a bearer credential.',
  '1/create': 'Tags can be created.',
  '1/rename': 'Tags can be renamed.',
  '1/list': 'Tags can be listed.',
  '1/filter': 'The list can be filtered by name.',
  '1/delete': 'Tags can be deleted.',
  '1/tag-members': 'Every tag has an identifier beside its name.',
  '1/further-areas': 'The names of scopes show further areas: users, bank accounts, mutations.',
  '1/further-areas-behaviour': 'Nothing of those areas is shown but the names of their scopes.',
  '1/base-address': 'All paths are relative to one base address.',
  '1/https': 'All requests use HTTPS.',

  '2/tag-name-type': 'The name of a tag is a string.',
  '2/tag-name-meaning': 'The name of a tag is the one that the client gave it.',
  '2/tag-name-on-create': 'A name is required on create.',
  '2/tag-name-on-update': 'A name is required on update.',
  '2/tag-id-type': 'A tag_id is a string.',
  '2/tag-id-meaning': 'A tag_id identifies one tag.',
  '2/tag-id-assigned': 'The service chooses the tag_id when the tag is created.',
  '2/tag-id-in-paths': 'The tag_id stands for the tag in paths.',
  '2/tag-name-length': 'The length of a name is not shown.',
  '2/tag-name-uniqueness': 'Whether two tags may have the same name is not shown.',
  '2/tag-name-characters': 'The characters that a name may contain are not shown.',
  '2/tag-id-form': 'The format of a tag_id is not shown.',
  '2/access-token-type': 'An access token is a string.',
  '2/access-token-meaning': 'A login returns an access token, which requests present as their credential.',
  '2/access-token-signed': 'An access token is signed, so that only the service can make or change one.',
  '2/access-token-signature': 'A token whose form shows no signature is signed too.',
  '2/scope-values': 'A list of scopes consists of seven possible values.',
  '2/scope-other-values': 'Other values are not allowed in a list of scopes.',
  '2/scope-api': 'api is a scope.',
  '2/scope-api-grants': 'api grants access to every endpoint.',
  '2/scope-user': 'user is a scope.',
  '2/scope-user-grants': 'user grants the management of users.',
  '2/scope-user-only': 'user grants nothing else.',
  '2/scope-user-read': 'user_read is a scope.',
  '2/scope-user-read-grants': 'user_read grants reading the profile.',
  '2/scope-user-read-only': 'user_read grants nothing else.',
  '2/scope-user-read-no-actions': 'user_read grants no actions.',
  '2/scope-bank': 'bank is a scope.',
  '2/scope-bank-grants': 'bank grants the management of bank accounts.',
  '2/scope-bank-only': 'bank grants nothing else.',
  '2/scope-bank-read': 'bank_read is a scope.',
  '2/scope-bank-read-grants': 'bank_read grants reading the data of bank accounts.',
  '2/scope-bank-read-only': 'bank_read grants nothing else.',
  '2/scope-bank-read-no-actions': 'bank_read grants no actions.',
  '2/scope-mutation': 'mutation is a scope.',
  '2/scope-mutation-grants': 'mutation grants the management of all mutation data.',
  '2/scope-mutation-read': 'mutation_read is a scope.',
  '2/scope-mutation-read-grants': 'mutation_read grants reading mutation data.',
  '2/scope-mutation-read-only': 'mutation_read grants nothing else.',
  '2/scope-mutation-read-no-actions': 'mutation_read grants no actions.',
  '2/other-records': 'The fields of users, bank accounts and mutations are not shown.',

  '3/states': 'No states are named.',
  '3/transitions': 'States and the transitions between them are not shown.',

  '4/json-sent': 'Request bodies are JSON.',
  '4/json-accepted': 'Response bodies are JSON.',
  '4/bearer': 'Every endpoint except login requires a bearer token.',
  '4/login-exempt': 'Login requires no token.',

  '4.1/path': 'A POST to /api/v2/auth/login logs in.',
  '4.1/body': 'The body of a login is a JSON object.',
  '4.1/username-type': 'username is a string.',
  '4.1/username-meaning': 'username identifies the account.',
  '4.1/password-type': 'password is a string.',
  '4.1/password-meaning': 'password is the password of that account.',
  '4.1/scopes-type': 'scopes is an array of strings.',
  '4.1/scopes-meaning': 'The token is granted the scopes listed in scopes.',
  '4.1/scopes-values': 'The values in scopes are those of section 2.',
  '4.1/required-fields': 'Which of these fields are required is not shown.',
  '4.1/status-200': 'A login that succeeds is answered 200.',
  '4.1/status-200-body': 'The body of that 200 holds the token as access_token.',
  '4.1/status-302': 'A login with wrong credentials is answered 302.',
  '4.1/status-302-body': 'The body of that 302 holds a message, a string.',

  '4.2/path': 'A POST to /api/v2/tagging creates a tag.',
  '4.2/body': 'The body of a create is a JSON object that holds the name.',
  '4.2/name-type': 'The name in a create is a string.',
  '4.2/name-required': 'The name in a create is required.',
  '4.2/status-200': 'A create that succeeds is answered 200.',
  '4.2/status-200-tagging': 'The body of that 200 holds the created tag as tagging.',
  '4.2/status-200-name': 'The tag in the body of that 200 has its name, a string.',
  '4.2/status-200-tag-id': 'The tag in the body of that 200 has its tag_id, a string.',
  '4.2/status-422': 'A create that is not valid is answered 422, with the body of section 7.',

  '4.3/path': 'A PUT to /api/v2/tagging/{tag_id} updates a tag.',
  '4.3/path-tag-id': 'The tag_id in the path, a string, identifies the tag to update.',
  '4.3/body': 'The body of an update is a JSON object that holds the new name.',
  '4.3/name-type': 'The new name in an update is a string.',
  '4.3/name-required': 'The new name in an update is required.',
  '4.3/status-200': 'An update that succeeds is answered 200, which confirms the update.',
  '4.3/status-200-body': 'The body of that 200 holds a message, a string.',
  '4.3/status-422': 'An update that is not valid is answered 422, with the body of section 7.',

  '4.4/path': 'A GET of /api/v2/tagging lists tags.',
  '4.4/filter-type': 'The query of a list can hold tag, a string.',
  '4.4/filter-optional': 'tag is optional.',
  '4.4/filter-meaning': 'tag filters the list by name.',
  '4.4/filter-match': 'Whether the match is exact or partial is not shown.',
  '4.4/status-200': 'A list is answered 200.',
  '4.4/status-200-error': 'The body of a list holds error, a boolean.',
  '4.4/status-200-tagging': 'The body of a list holds the tags as an array called tagging.',
  '4.4/status-200-name': 'Each tag of a list has its name, a string.',
  '4.4/status-200-tag-id': 'Each tag of a list has its tag_id, a string.',
  '4.4/pagination': 'Pagination of the list is not shown.',
  '4.4/order': 'The order of the list is not shown.',

  '4.5/path': 'A DELETE of /api/v2/tagging/{tag_id} deletes a tag.',
  '4.5/path-tag-id': 'The tag_id in the path, a string, identifies the tag to delete.',
  '4.5/path-tag-id-empty': 'A delete whose path ends before the tag_id identifies no tag.',
  '4.5/status-200': 'A delete that succeeds is answered 200, which confirms the delete.',
  '4.5/status-200-body': 'The body of that 200 holds a message, a string.',
  '4.5/status-404': 'A delete of a tag that does not exist is answered 404.',
  '4.5/status-404-body': 'The body of that 404 holds a message, a string.',
  '4.5/other-endpoints': 'Other endpoints are not shown.',

  '5/scheme': 'The scheme is OAuth-style bearer authentication.',
  '5/substitute': 'A token is a full substitute for username and password.',
  '5/from-login': 'A login is one way to obtain a token.',
  '5/from-control-panel': 'The control panel of the account is the other way to obtain a token.',
  '5/control-panel-section': 'The control panel generates tokens in its apps and API section.',
  '5/shown-once': 'The control panel shows a generated token only once.',
  '5/authorization-header':
    'Every authenticated request carries the header Authorization: Bearer <ACCESS_TOKEN>.',
  '5/https': 'All requests are made over HTTPS.',
  '5/scopes-limit': 'Scopes can limit a token.',
  '5/scopes-full': 'The scope api is full access.',
  '5/scopes-by-area': 'Each area has a scope to manage it and one to read it.',
  '5/content-type-value': 'Content-Type is application/json.',
  '5/content-type-purpose': 'Content-Type says that the body of the request is JSON.',
  '5/content-type-required': 'Content-Type is required.',
  '5/accept-value': 'Accept is application/json.',
  '5/accept-purpose': 'Accept says that the body of the response is JSON.',
  '5/accept-required': 'Accept is required.',
  '5/authorization-value': 'Authorization is Bearer followed by the access token.',
  '5/authorization-purpose': 'Authorization holds the credential.',
  '5/token-lifetime': 'The lifetime of a token is not shown.',
  '5/token-expiry': 'The expiry of a token is not shown.',
  '5/scope-permissions': 'Which scopes permit which operations on tags is not shown.',

  '6/events': 'Events (webhooks, notifications) are not shown.',

  '7/errors': 'Each error has a status, a condition and a body.',
  '7/login-302': 'A login with wrong credentials is answered 302.',
  '7/login-302-body': 'The body of that 302 holds a message, a string.',
  '7/create-422': 'A create with missing or invalid input is answered 422.',
  '7/update-422': 'An update with missing or invalid input is answered 422.',
  '7/missing-name-422': 'A missing name is an example of missing input.',
  '7/validation-message': 'The body of the 422 holds a message, whose wording is given.',
  '7/validation-errors': 'The body of the 422 holds errors, an object with the names of fields as keys.',
  '7/validation-error-lists': 'errors maps each field to an array of strings.',
  '7/validation-language': 'The texts in the body of the 422 may be in a local language.',
  '7/delete-404': 'A delete of a tag that does not exist is answered 404.',
  '7/delete-404-body': 'The body of that 404 holds a message, a string.',
  '7/token-missing': 'The response to a missing token is not shown.',
  '7/token-invalid': 'The response to an invalid token is not shown.',
  '7/scope-insufficient': 'The response to a token that lacks the needed scope is not shown.',
  '7/update-unknown': 'The response to an update of a tag that does not exist is not shown.',

  '8/rate': 'Rate limits are not shown.',
  '8/size': 'Size limits are not shown.',
  '8/quotas': 'Other quotas are not shown.',

  '9/prefix': 'The path prefix /api/v2 of login and tagging endpoints carries the version.',
  '9/deprecation': 'The deprecation policy is not shown.',
  '9/other-mechanisms': 'Other version mechanisms are not shown.',
} as const satisfies Readonly<Record<`${Requirement['section']}/${string}`, string>>;

const OPEN = 'left open by the specification';
const ABOUT_ITSELF = 'is about the document, not about the service';
const AREA = 'belongs to an area whose endpoints are not specified';
const UNSEEN = 'cannot be observed from outside';
const INTERFACE = 'is about web pages, which are not part of the interface';

/** Why no requirement checks a sentence. */
const NOT_ASKED = {
  '0/coverage': ABOUT_ITSELF,
  '0/other-areas': ABOUT_ITSELF,
  '1/account-records': AREA,
  '1/further-areas': AREA,
  '1/further-areas-behaviour': OPEN,
  '2/access-token-signature': UNSEEN,
  '2/scope-user-grants': AREA,
  '2/scope-user-read-grants': AREA,
  '2/scope-bank-grants': AREA,
  '2/scope-bank-read-grants': AREA,
  '2/scope-mutation-grants': AREA,
  '2/scope-mutation-read-grants': AREA,
  '2/other-records': OPEN,
  '3/states': OPEN,
  '3/transitions': OPEN,
  '4.5/path-tag-id-empty': 'could delete everything',
  '4.5/other-endpoints': OPEN,
  '5/control-panel-section': INTERFACE,
  '5/shown-once': UNSEEN,
  '6/events': OPEN,
  '9/deprecation': OPEN,
  '9/other-mechanisms': OPEN,
} as const satisfies Partial<Record<keyof typeof SENTENCES, string>>;

declare module '../lib/requirement.ts' {
  // A requirement does not compile if it names a position that is not in the table, or one that is excluded.
  interface AskedSentences extends Record<Exclude<keyof typeof SENTENCES, keyof typeof NOT_ASKED>, unknown> {}
}

/** A sentence of the specification, with the ids of the requirements that check it, or the reason why none does. */
export interface Sentence {
  /** Its section, such as `4.2`. */
  readonly section: string;
  /** Its name with the section before it, such as `4.2/status-200`. */
  readonly position: string;
  readonly says: string;
  readonly asked?: readonly string[];
  readonly notAsked?: string;
}

/** A section of the specification and its sentences, in the order of the document. */
export interface Section {
  readonly section: string;
  readonly sentences: readonly Sentence[];
}

/** The sections of the specification, each sentence with the ids of the given requirements that check it. */
export function sectionsAskedBy(requirements: readonly Pick<Requirement, 'id' | 'sentences'>[]): Section[] {
  const reasons: Readonly<Record<string, string>> = NOT_ASKED;
  const sentences = Object.entries(SENTENCES).map(([position, says]): Sentence => {
    const asked = requirements
      .filter((requirement) => requirement.sentences.some((named) => named === position))
      .map(({ id }) => id);
    return {
      section: position.split('/')[0] ?? '',
      position,
      says,
      ...(asked.length === 0 ? {} : { asked }),
      ...(reasons[position] === undefined ? {} : { notAsked: reasons[position] }),
    };
  });
  return [...new Set(sentences.map(({ section }) => section))].map((section) => ({
    section,
    sentences: sentences.filter((sentence) => sentence.section === section),
  }));
}

/**
 * The main sentence that a requirement checks: one of its own section, preferably about an answer.
 *
 * @param reason the reason of a finding. A sentence that names the same member of a body, or what a filter finds, is preferred.
 */
export function saysOf(
  { section, sentences }: Pick<Requirement, 'section' | 'sentences'>,
  reason = '',
): {
  readonly section: string;
  readonly says: string;
} {
  const own = sentences.filter((position) => position.startsWith(`${section}/`));
  const members = ['errors', 'message'].filter((member) => new RegExp(`\\b${member}\\b`).test(reason));
  const isAboutFilter = /\bfilter\b.*\bfinds\b/.test(reason);
  const position =
    own.find((one) => isAboutFilter && one === '4.4/filter-meaning') ??
    own.find((one) => members.some((member) => SENTENCES[one].startsWith(`${member} `))) ??
    own.find((one) => /status|\d{3}|validation/.test(one.slice(section.length))) ??
    own.find((one) => !one.endsWith('/path')) ??
    own[0] ??
    sentences[0];
  return { section: position.split('/')[0] ?? '', says: SENTENCES[position] };
}
