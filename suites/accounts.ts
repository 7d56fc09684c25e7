import type { Suite } from '../lib/check.ts';
import { foreignIds } from './accounts/foreign-ids.ts';
import { namesAreItsOwn, privateLists, sameName } from './accounts/together.ts';
import { idsAlike } from './ids-alike.ts';

export const accounts: Suite = {
  topic: 'account',
  requirements: [...privateLists, ...foreignIds, sameName, idsAlike, namesAreItsOwn],
};
