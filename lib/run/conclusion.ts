import type { Inventory } from './inventory.ts';
import type { Obstacle } from './session.ts';
import type { Residue } from './residue.ts';
import type { Result } from './results.ts';

export type Ending = 'whole' | 'cut short' | 'interrupted';

/** The result of the whole run. */
export interface Conclusion {
  readonly results: readonly Result[];
  readonly obstacle?: Obstacle | undefined;
  readonly ended: Ending;
  readonly residue: readonly Residue[];
  readonly inventory?: Inventory | undefined;
  /** The first fault of the suite itself: then no verdict of this run can be trusted. */
  readonly fault?: Error | undefined;
  readonly durationMs: number;
}
