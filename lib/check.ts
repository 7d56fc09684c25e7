/** All that is needed to write a requirement. Suites import nothing else from `lib/`. */

// A requirement, and what its check concludes
export { learn, open, type Requirement, type Suite } from './requirement.ts';
export { drawn, property, seedOf } from './property.ts';
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

// The target that a check gets, and the requests that it sends
export { Target } from './run/target.ts';
export type { Tag } from './run/listed.ts';
export type { Lookup } from './account/lookup.ts';
export { ownLettersIn, PLAIN_LETTERS } from './account/names.ts';
export { Secret } from './secret.ts';
export {
  LIMITED_SCOPES,
  nameOf,
  OPERATIONS,
  SCOPES,
  TAG_OPERATIONS,
  type TagOperation,
} from './spec/operations.ts';
export { filterQuery, RawBody, withCredential, type RequestOverrides } from './spec/requests.ts';

// Answers: reading, judging and quoting them
export { isOfOutage } from './http/retryable.ts';
export { accepted, header, isClientError, memberOf, statusOf, type Exchange } from './http/exchange.ts';
export { lineOf, quote, whatCame } from './http/wording.ts';
export { everySuccess, mismatch, refuses, succeeds } from './judging/matching.ts';
export { literalPattern } from './patterns.ts';
export { bodies } from './spec/bodies.ts';
export { createdIn, listedIn, tokenIn, type Listed } from './spec/reading.ts';
