import { createHash } from 'node:crypto';
import type { Requirement } from './requirement.ts';

/**
 * SHA-256, in hexadecimal digits, of the JSON array of `[id, level, text]` of each requirement, sorted by id and without
 * blanks. The order of the catalogue does not matter.
 */
export function catalogueDigest(requirements: readonly Pick<Requirement, 'id' | 'level' | 'text'>[]): string {
  const rows = requirements
    .map(({ id, level, text }) => [id, level, text] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}
