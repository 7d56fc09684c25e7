import { isUnanswered } from '../http/exchange.ts';
import { Undecided, type Outcome } from '../outcome.ts';
import type { Target } from './target.ts';

/**
 * What asking comes to; where that may rest on a request without an answer, what it comes to when asked again. Between
 * the times, what was made is removed.
 *
 * @param isHopeless whether asking again would only meet with the same.
 */
export async function untilAnswered(
  target: Target,
  ask: () => Promise<Outcome>,
  isHopeless: (outcome: Outcome) => boolean = () => false,
): Promise<Outcome> {
  for (let time = 1; ; time++) {
    target.beginAnew();
    const outcome = await outcomeOf(ask);
    if (time >= mostTimes(outcome, target) || target.isStopped || isHopeless(outcome)) return outcome;
    try {
      await target.removeTags();
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
    }
    // What could not be removed would leave no room for the same tags made again.
    if (!target.isClean) return outcome;
  }
}

async function outcomeOf(ask: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Undecided) return error.outcome;
    throw error;
  }
}

/** How often something is asked until it stands: a connection that broke may hold the next time, a time-out costs much. */
function mostTimes(outcome: Outcome, { unanswered }: Target): number {
  if (outcome.kind === 'holds') return 1;
  // A finding need not show the request in its course that got no answer.
  const silent = [...outcome.exchanges, ...unanswered].filter(isUnanswered);
  if (silent.length === 0) return 1;
  return silent.every(({ failure }) => failure?.kind === 'closed') ? 4 : 2;
}
