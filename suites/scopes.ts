import type { Suite } from '../lib/check.ts';
import { answersAlike } from './scopes/answers.ts';
import { anyOrder } from './scopes/any-order.ts';
import { apiAmongOthers, apiPermitsAll } from './scopes/api.ts';
import { otherAreasStayOut, readOnlyCannotWrite, refusalHasNoEffect } from './scopes/limited.ts';
import { limitedOnOtherPaths } from './scopes/other-paths.ts';
import { scopeSets } from './scopes/sets.ts';

export const scopes: Suite = {
  topic: 'scope',
  requirements: [
    apiPermitsAll,
    apiAmongOthers,
    anyOrder,
    scopeSets,
    answersAlike,
    readOnlyCannotWrite,
    refusalHasNoEffect,
    limitedOnOtherPaths,
    otherAreasStayOut,
  ],
};
