/** All that is needed to write a requirement. Suites import nothing else from `lib/`. */

// What most requirements need: the value itself, what its check concludes, the target, and its answers
export { learn, open, type Requirement, type Suite } from './requirement.ts';
export { property } from './property.ts';
export {
  allOf,
  broken,
  holds,
  holdsWithWarning,
  ifDecided,
  undecided,
  Undecided,
  type Outcome,
} from './outcome.ts';
export { Target } from './run/target.ts';
export type { Tag } from './run/listed.ts';
export type { Lookup } from './account/lookup.ts';
export { accepted, statusOf, type Exchange } from './http/exchange.ts';
export { quote, whatCame } from './http/wording.ts';
export { everySuccess, refuses, succeeds } from './judging/matching.ts';
export { bodies } from './spec/bodies.ts';
export { createdIn, listedIn, type Listed } from './spec/reading.ts';

// Requests that differ from the usual ones
export { Secret } from './secret.ts';
export { LIMITED_SCOPES, OPERATIONS, SCOPES, TAG_OPERATIONS, type TagOperation } from './spec/operations.ts';
export { filterQuery, RawBody, withCredential, type RequestOverrides } from './spec/requests.ts';

// Names and other values that are generated
export { ownLettersIn, PLAIN_LETTERS } from './account/names.ts';
export { literalPattern } from './patterns.ts';
export { drawn, seedOf } from './property.ts';

// A closer look at answers
export { header, isClientError, memberOf } from './http/exchange.ts';
export { isOfOutage } from './http/retryable.ts';
export { lineOf } from './http/wording.ts';
export { mismatch } from './judging/matching.ts';
export { nameOf } from './spec/operations.ts';
export { tokenIn } from './spec/reading.ts';
