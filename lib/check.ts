/** All that is needed to write a requirement. Suites import nothing else from `lib/`. */

import { ownLettersIn, PLAIN_LETTERS } from './account/names.ts';
import { header, isClientError, memberOf } from './http/exchange.ts';
import { readJson } from './http/json.ts';
import { isLost, isOfOutage, isServerError } from './http/retryable.ts';
import { lineOf } from './http/wording.ts';
import { everySuccess, mismatch, refuses, succeeds } from './judging/matching.ts';
import { drawn, seedOf } from './property.ts';
import { bodies } from './spec/bodies.ts';
import { LIMITED_SCOPES, nameOf, OPERATIONS, SCOPES, TAG_OPERATIONS } from './spec/operations.ts';
import { tokenIn } from './spec/reading.ts';
import { encodedId, filterQuery } from './spec/requests.ts';

// The value itself, what its check concludes, the target, and its answers
export { learn, open, type Requirement, type Suite } from './requirement.ts';
export { property } from './property.ts';
export {
  allOf,
  broken,
  holds,
  holdsWithWarning,
  ifDecided,
  outcomeOf,
  undecided,
  Undecided,
  type Outcome,
} from './outcome.ts';
export type { Target } from './run/target.ts';
export type { Tag } from './run/listed.ts';
export type { Lookup } from './account/lookup.ts';
export { accepted, statusOf, type Exchange } from './http/exchange.ts';
export { quote, whatCame } from './http/wording.ts';
export { createdIn, listedIn, namesInList, type Listed } from './spec/reading.ts';

// Requests that differ from the usual ones
export { Secret } from './secret.ts';
export type { TagOperation } from './spec/operations.ts';
export { RawBody, withCredential, type RequestOverrides } from './spec/requests.ts';

/** The interface as data (2, 4, 5), and the schemas of its bodies. */
export const spec = {
  bodies,
  operations: OPERATIONS,
  tagOperations: TAG_OPERATIONS,
  scopes: SCOPES,
  limitedScopes: LIMITED_SCOPES,
  nameOf,
  filterQuery,
  encodedId,
};

/** Whether answers have the status and the form of the specification. */
export const matches = { success: succeeds, everySuccess, refusal: refuses, difference: mismatch };

/** A closer look at answers. */
export const answers = {
  header,
  member: memberOf,
  token: tokenIn,
  line: lineOf,
  readJson,
  isClientError,
  isLost,
  isOfOutage,
  isServerError,
};

/** Names and other values that are generated. */
export const generated = { drawn, seedOf, ownLettersIn, plainLetters: PLAIN_LETTERS };

/** Matches a text literally in a regular expression. */
export { literalPattern } from './patterns.ts';
