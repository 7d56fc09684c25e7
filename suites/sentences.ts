import { type Requirement, sectionTitle, type SectionNumber } from '../lib/check.ts';

/** The SHA-256 of the bytes of the specification that this table was made for, in hexadecimal. */
export const SPECIFICATION_DIGEST = '63dac8298465eb5db4ae7fc51fdb0a8852a6c23d99a54db70bd70653ea64b603';

/**
 * Every statement of the specification in the order of the document: a sentence or a part of it, a cell or a row of a
 * table. The key is its position: the section (`0` is the text before the first one) and a name in this table. The
 * value says in our own words what it states.
 */
const SENTENCES = {
  '0/coverage': 'What is specified is authentication by tokens and the four operations on tags, as a whole.',
  '0/other-areas': 'Whatever else the service has appears only as far as a scope is about it.',

  '1/json-over-https': 'The service speaks JSON, over HTTPS.',
  '1/account': 'What a client works on is what belongs to its account.',
  '1/account-records': 'An account has bank accounts, and these have transaction records, called mutations.',
  '1/token-by-login': 'Logging in, with credentials and the scopes that are wanted, gives an access token.',
  '1/bearer': 'The token goes with every request, as a bearer credential.',
  '1/create': 'Tags can be created.',
  '1/rename': 'Tags can be renamed.',
  '1/list': 'Tags can be listed.',
  '1/filter': 'The list can be narrowed down by a name.',
  '1/delete': 'Tags can be deleted.',
  '1/tag-members': 'Every tag has an identifier beside its name.',
  '1/further-areas': 'As the names of scopes tell, there is more: users, bank accounts, mutations.',
  '1/further-areas-behaviour': 'Of those areas nothing is told but the names of their scopes.',
  '1/base-address': 'All paths stand behind one base address.',
  '1/https': 'No request goes over plain HTTP.',

  '2/tag-name-type': 'The name of a tag is a string.',
  '2/tag-name-meaning': 'The name of a tag is what the client called it.',
  '2/tag-name-on-create': 'A create has to give a name.',
  '2/tag-name-on-update': 'An update has to give a name.',
  '2/tag-id-type': 'A tag_id is a string.',
  '2/tag-id-meaning': 'A tag_id tells its tag from every other one.',
  '2/tag-id-assigned': 'The service chooses the tag_id when the tag is created.',
  '2/tag-id-in-paths': 'The tag_id is what stands for the tag in paths.',
  '2/tag-name-length': 'How long a name may be is not told.',
  '2/tag-name-uniqueness': 'Whether two tags may have the same name is not told.',
  '2/tag-name-characters': 'Of which characters a name may consist is not told.',
  '2/tag-id-form': 'What form a tag_id has is not told.',
  '2/access-token-type': 'An access token is a string.',
  '2/access-token-meaning':
    'An access token is what a login gives and what requests present as their credential.',
  '2/access-token-signed':
    'An access token is signed, so that nobody but the service can make or change one.',
  '2/access-token-signature': 'Also a token that shows no signature in its form is signed.',
  '2/scope-values': 'A list of scopes is made of seven values.',
  '2/scope-other-values': 'Other values are not allowed in a list of scopes.',
  '2/scope-api': 'api is a scope.',
  '2/scope-api-grants': 'api opens every endpoint.',
  '2/scope-user': 'user is a scope.',
  '2/scope-user-grants': 'user opens the management of users.',
  '2/scope-user-only': 'user opens nothing else.',
  '2/scope-user-read': 'user_read is a scope.',
  '2/scope-user-read-grants': 'user_read opens the profile, to be read.',
  '2/scope-user-read-only': 'user_read opens nothing else.',
  '2/scope-user-read-no-actions': 'user_read lets its holder change nothing.',
  '2/scope-bank': 'bank is a scope.',
  '2/scope-bank-grants': 'bank opens the management of bank accounts.',
  '2/scope-bank-only': 'bank opens nothing else.',
  '2/scope-bank-read': 'bank_read is a scope.',
  '2/scope-bank-read-grants': 'bank_read opens what is known of bank accounts, to be read.',
  '2/scope-bank-read-only': 'bank_read opens nothing else.',
  '2/scope-bank-read-no-actions': 'bank_read lets its holder change nothing.',
  '2/scope-mutation': 'mutation is a scope.',
  '2/scope-mutation-grants': 'mutation opens all that concerns mutations.',
  '2/scope-mutation-read': 'mutation_read is a scope.',
  '2/scope-mutation-read-grants': 'mutation_read opens what is known of mutations, to be read.',
  '2/scope-mutation-read-only': 'mutation_read opens nothing else.',
  '2/scope-mutation-read-no-actions': 'mutation_read lets its holder change nothing.',
  '2/other-records': 'Which members users, bank accounts and mutations have is not told.',

  '3/states': 'There is no word of any states.',
  '3/transitions': 'What states there are, and what leads from one to another, is not told.',

  '4/json-sent': 'What requests hold is JSON.',
  '4/json-accepted': 'What requests are answered with is JSON.',
  '4/bearer': 'The endpoints beside login are closed to requests without a bearer token.',
  '4/login-exempt': 'Login is open to requests without a token.',

  '4.1/path': 'A POST to /api/v2/auth/login logs in.',
  '4.1/body': 'The body of a login is a JSON object.',
  '4.1/username-type': 'username is a string.',
  '4.1/username-meaning': 'username says which account.',
  '4.1/password-type': 'password is a string.',
  '4.1/password-meaning': 'password is the one of that account.',
  '4.1/scopes-type': 'scopes is an array of strings.',
  '4.1/scopes-meaning': 'The token is given the scopes that stand in scopes.',
  '4.1/scopes-values': 'The values in scopes are those of section 2.',
  '4.1/required-fields': 'Which of these a login may leave out is not told.',
  '4.1/status-200': 'A login that succeeds is answered 200.',
  '4.1/status-200-body': 'The body of that 200 holds the token, as access_token.',
  '4.1/status-302': 'A login with wrong credentials is answered 302.',
  '4.1/status-302-body': 'The body of that 302 holds a message, a string.',

  '4.2/path': 'A POST to /api/v2/tagging creates a tag.',
  '4.2/body': 'The body of a create is a JSON object that holds the name.',
  '4.2/name-type': 'The name in a create is a string.',
  '4.2/name-required': 'The name in a create must not be missing.',
  '4.2/status-200': 'A create that succeeds is answered 200.',
  '4.2/status-200-tagging': 'The body of that 200 holds the tag that was made, as tagging.',
  '4.2/status-200-name': 'The tag in the body of that 200 has its name, a string.',
  '4.2/status-200-tag-id': 'The tag in the body of that 200 has its tag_id, a string.',
  '4.2/status-422': 'A create that is not valid is answered 422, with the body of section 7.',

  '4.3/path': 'A PUT to /api/v2/tagging/ with a tag_id behind it updates a tag.',
  '4.3/path-tag-id': 'The tag_id in the path, a string, says which tag is updated.',
  '4.3/body': 'The body of an update is a JSON object that holds the new name.',
  '4.3/name-type': 'The new name is a string.',
  '4.3/name-required': 'The new name must not be missing.',
  '4.3/status-200': 'An update that succeeds is answered 200, which confirms that it was carried out.',
  '4.3/status-200-body': 'The body of that 200 holds a message, a string.',
  '4.3/status-422': 'An update that is not valid is answered 422, with the body of section 7.',

  '4.4/path': 'A GET of /api/v2/tagging lists tags.',
  '4.4/filter-type': 'The query of a list can hold tag, a string.',
  '4.4/filter-optional': 'A list may leave out tag.',
  '4.4/filter-meaning': 'By tag, a list is narrowed down to the tags whose names match.',
  '4.4/filter-match': 'Whether the whole name has to match, or a part of it, is not told.',
  '4.4/status-200': 'A list is answered 200.',
  '4.4/status-200-error': 'The body of a list holds error, a boolean.',
  '4.4/status-200-tagging': 'The body of a list holds the tags that there are, as an array called tagging.',
  '4.4/status-200-name': 'Each tag of a list has its name, a string.',
  '4.4/status-200-tag-id': 'Each tag of a list has its tag_id, a string.',
  '4.4/pagination': 'Whether the list comes in pages is not told.',
  '4.4/order': 'In which order the tags come is not told.',

  '4.5/path': 'A DELETE of /api/v2/tagging/ with a tag_id behind it deletes a tag.',
  '4.5/path-tag-id': 'The tag_id in the path, a string, says which tag is deleted.',
  '4.5/path-tag-id-empty': 'A delete whose path ends before the tag_id names no tag.',
  '4.5/status-200': 'A delete that succeeds is answered 200, which confirms that it was carried out.',
  '4.5/status-200-body': 'The body of that 200 holds a message, a string.',
  '4.5/status-404': 'A delete of a tag that is not there is answered 404.',
  '4.5/status-404-body': 'The body of that 404 holds a message, a string.',
  '4.5/other-endpoints': 'What other endpoints there are is not told.',

  '5/scheme': 'Tokens are presented as OAuth presents bearer tokens.',
  '5/substitute': 'Whoever has a token needs neither username nor password.',
  '5/from-login': 'One way to a token is a login.',
  '5/from-control-panel': 'The other way to a token is the control panel of the account.',
  '5/control-panel-section': 'The control panel makes tokens where it deals with apps and the API.',
  '5/shown-once': 'The control panel shows a token that it made once, and not again.',
  '5/authorization-header':
    'The token stands in the Authorization header of every request that needs one, behind Bearer.',
  '5/https': 'Whatever is requested is requested over HTTPS.',
  '5/scopes-limit': 'Scopes confine what a token can do.',
  '5/scopes-full': 'One scope confines nothing: api.',
  '5/scopes-by-area': 'Each area has a scope to manage it and one to read it.',
  '5/content-type-value': 'Content-Type is application/json.',
  '5/content-type-purpose': 'Content-Type says that the body of the request is JSON.',
  '5/content-type-required': 'Content-Type must not be missing.',
  '5/accept-value': 'Accept is application/json.',
  '5/accept-purpose': 'Accept says that the body of the answer is to be JSON.',
  '5/accept-required': 'Accept must not be missing.',
  '5/authorization-value': 'Authorization is Bearer with the access token behind it.',
  '5/authorization-purpose': 'Authorization is what shows who asks.',
  '5/token-lifetime': 'How long a token lives is not told.',
  '5/token-expiry': 'Whether and how a token ends is not told.',
  '5/scope-permissions': 'Which of the scopes are enough for which operations on tags is not told.',

  '6/events': 'Whether the service tells anybody of what happens is not told.',

  '7/errors': 'What can go wrong has a status, a condition and a body.',
  '7/login-302': 'Wrong credentials at a login are a 302.',
  '7/login-302-body': 'The body of that 302 has a message, a string.',
  '7/create-422': 'A create with input that is missing or wrong is a 422.',
  '7/update-422': 'An update with input that is missing or wrong is a 422.',
  '7/missing-name-422': 'A name that is not there is an example of such input.',
  '7/validation-message': 'The body of the 422 holds a message, for which a wording is given.',
  '7/validation-errors': 'The body of the 422 holds errors, by the names of the fields.',
  '7/validation-error-lists': 'For each field that it names, errors has an array of strings.',
  '7/validation-language': 'The texts in the body of the 422 can be in the language of the country.',
  '7/delete-404': 'The delete of a tag that is not there is a 404.',
  '7/delete-404-body': 'The body of that 404 has a message, a string.',
  '7/token-missing': 'How a missing token is answered is not told.',
  '7/token-invalid': 'How a token that is not valid is answered is not told.',
  '7/scope-insufficient': 'How a token without the scope that is needed is answered is not told.',
  '7/update-unknown': 'How the update of a tag that is not there is answered is not told.',

  '8/rate': 'How often a client may ask is not told.',
  '8/size': 'How large anything may be is not told.',
  '8/quotas': 'How much of anything an account may have is not told.',

  '9/prefix': 'The version stands in the paths of login and of tags, which begin with /api/v2.',
  '9/deprecation': 'How and when a version goes out of use is not told.',
  '9/other-mechanisms': 'Whether a version can be chosen in another way is not told.',
} as const satisfies Readonly<Record<`${SectionNumber}/${string}`, string>>;

const OPEN = 'left open by the specification';
const ABOUT_ITSELF = 'says what the document covers, and nothing that a server does';
const AREA = 'belongs to an area whose endpoints are not specified';
const UNSEEN = 'cannot be observed from outside';
const INTERFACE = 'is about pages for people, which are no part of the interface';

/** Why no requirement asks a sentence. */
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
  // A requirement does not compile if it names a position that is not in the table, or one that is not asked.
  interface AskedSentences extends Record<Exclude<keyof typeof SENTENCES, keyof typeof NOT_ASKED>, unknown> {}
}

/** A statement of the specification, with the ids of the requirements that ask it or the reason why none does. */
export interface Sentence {
  /** The section that it stands in, such as `4.2`. */
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
  readonly title: string;
  readonly sentences: readonly Sentence[];
}

/** The sections of the specification, each sentence with the ids of those of the requirements that ask it. */
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
    title: sectionTitle(section),
    sentences: sentences.filter((sentence) => sentence.section === section),
  }));
}
