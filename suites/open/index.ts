import type { Suite } from '../../lib/check.ts';
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
import { idEncoding, idFormat, idLetterCase, idReuse, idZeros, nameReuse } from './ids.ts';
import { errorFlag, order, pagination, tagQuota } from './lists.ts';
import { incompleteLogin, oddLogins, usernameCase } from './logins.ts';
import { longestName } from './name-length.ts';
import { blankName, emptyName, keptForm, refusedNames, surrogates, uniqueNames } from './names.ts';
import {
  basicCredentials,
  insufficientScope,
  invalidToken,
  lowerCaseScheme,
  missingToken,
  refusalBodies,
  tokenInQuery,
} from './refusals.ts';
import {
  bodyLimit,
  doubledMembers,
  headers,
  malformedBody,
  queryLimit,
  rateLimit,
  readAfterWrite,
} from './requests.ts';
import { scopeMatrix } from './scopes.ts';
import { earlierTokens, tokenForm, tokenLifetime } from './tokens.ts';
import { sameNameRename, takenNameRename, unknownTagOnUpdate } from './updates.ts';

/** What the specification leaves open, as questions. Nothing here can fail, but where an answer was declared. */
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
    // First of what is asked in calm: others ask it what they need to know.
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
    readAfterWrite,
  ],
};
