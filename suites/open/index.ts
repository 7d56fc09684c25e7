import type { Suite } from '../../lib/check.ts';
import { doubledMembers, malformedBody } from './bodies.ts';
import {
  filterAccents,
  filterArray,
  filterBlanks,
  filterCase,
  filterEmpty,
  filterMatch,
  filterPlus,
  filterRepeated,
  filterWildcards,
} from './filter.ts';
import { headers } from './headers.ts';
import { idEncoding, idFormat, idLetterCase, idReuse, idZeros, nameReuse } from './ids.ts';
import { bodyLimit, queryLimit } from './limits.ts';
import { errorFlag, order, pagination, tagQuota } from './lists.ts';
import { incompleteLogin, oddLogins, usernameCase } from './logins.ts';
import { longestName } from './name-length.ts';
import { keptForm } from './name-form.ts';
import { blankName, emptyName, refusedNames, surrogates, uniqueNames } from './names.ts';
import {
  basicCredentials,
  insufficientScope,
  invalidToken,
  lowerCaseScheme,
  missingToken,
  refusalBodies,
  tokenInQuery,
} from './refusals.ts';
import { scopeMatrix } from './scopes.ts';
import { earlierTokens, tokenForm, tokenLifetime } from './tokens.ts';
import { sameNameRename, takenNameRename, unknownTagOnUpdate } from './updates.ts';
import { concurrency, rateLimit, readAfterWrite } from './whole-run.ts';

/** Questions that the specification leaves open. An answer fails the run only if it contradicts the declaration. */
export const questions: Suite = {
  topic: 'open',
  requirements: [
    scopeMatrix,
    missingToken,
    invalidToken,
    insufficientScope,
    refusalBodies,
    tokenInQuery,
    lowerCaseScheme,
    basicCredentials,
    tokenForm,
    tokenLifetime,
    earlierTokens,
    incompleteLogin,
    ...oddLogins,
    usernameCase,
    filterMatch,
    filterCase,
    filterAccents,
    filterWildcards,
    filterBlanks,
    filterPlus,
    filterEmpty,
    filterRepeated,
    filterArray,
    // This is the first of the questions that need a full account, because others need its answer.
    pagination,
    order,
    tagQuota,
    errorFlag,
    longestName,
    uniqueNames,
    emptyName,
    blankName,
    keptForm,
    refusedNames,
    surrogates,
    sameNameRename,
    takenNameRename,
    unknownTagOnUpdate,
    nameReuse,
    idReuse,
    idFormat,
    idEncoding,
    idLetterCase,
    idZeros,
    headers,
    malformedBody,
    doubledMembers,
    bodyLimit,
    queryLimit,
    rateLimit,
    concurrency,
    readAfterWrite,
  ],
};
