import type { Suite } from '../lib/check.ts';
import { bare } from './names/bare.ts';
import { distinct } from './names/distinct.ts';
import { edges } from './names/edges.ts';
import { empty } from './names/empty.ts';
import { interpreted } from './names/interpreted.ts';
import { kinds, numbers } from './names/kinds.ts';
import { long } from './names/long.ts';
import { wholeForms } from './names/whole-forms.ts';

export const names: Suite = {
  topic: 'name',
  requirements: [...kinds, numbers, interpreted, wholeForms, bare, empty, edges, long, distinct],
};
