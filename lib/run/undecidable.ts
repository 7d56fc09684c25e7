import { undecided, type Outcome } from '../outcome.ts';
import type { Obstacle } from './session.ts';

// What the run knows about the target may show that an outcome has another reason. Then the outcome is undecided.

/** After a failed preflight, its failed step is the reason why nothing was decided. */
export function unlessObstructed(outcome: Outcome, obstacle: Obstacle | undefined): Outcome {
  if (obstacle === undefined || outcome.kind !== 'undecided' || outcome.because !== 'failure') return outcome;
  const { step, why, exchanges } = obstacle;
  return undecided('failure', `preflight could not ${step}: ${why}`, ...exchanges);
}

/** Quotas are open (8), and the finding may be due to a create that was refused for the number of tags. */
export const undecidedAsFull = undecidedBecause(
  'the target limits the number of tags too much for this to be decided',
);

/** The same of a create that was refused because the run has used up a quota of creates. */
export const undecidedAsUsedUp = undecidedBecause(
  'the target refuses all further creates of this run, which may be due to a quota',
);

/** Makes a finding undecided for this reason. */
function undecidedBecause(reason: string): (outcome: Outcome) => Outcome {
  return (outcome) =>
    outcome.kind === 'broken'
      ? undecided('failure', `${reason}: ${outcome.why}`, ...outcome.exchanges)
      : outcome;
}

/** The size of an answer is open (8), and the client cannot read some lawful answers: an unread answer decides nothing. */
export function unlessUnread(outcome: Outcome): Outcome {
  const isUnread =
    outcome.kind === 'broken' &&
    outcome.exchanges.some(({ failure }) => failure?.kind === 'oversized' || failure?.kind === 'unreadable');
  return isUnread ? undecided('failure', outcome.why, ...outcome.exchanges) : outcome;
}
