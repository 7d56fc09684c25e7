import { attemptsWorth, isConflict, isOfOutage, wasCrowded } from '../http/retryable.ts';
import { accepted, isUnanswered, type Exchange } from '../http/exchange.ts';
import { Undecided, type Outcome } from '../outcome.ts';
import type { Work } from './work.ts';

/** How an attempt ended: with a result, or with an `Undecided`. */
type Came<T> = { readonly result: T } | { readonly error: Undecided };

async function cameOf<T>(work: () => Promise<T>): Promise<Came<T>> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof Undecided) return { error };
    throw error;
  }
}

/**
 * Runs a check. If its result may be due to a lost answer, removes its tags and runs it again.
 *
 * @param isHopeless whether another attempt would fail in the same way.
 */
export async function retryIfUnanswered<T>(
  work: Work,
  ask: () => Promise<T>,
  isHopeless: (came: Came<T>) => boolean = () => false,
): Promise<T> {
  const { client, signs, losses } = work.session;
  let crowded: readonly Exchange[] = [];
  let hadOutage = false;
  /** The last finding. If an answer was lost, it may be due to that, and counts only if it comes again. */
  let found: { readonly result: T & Broken; readonly mayPass: boolean } | undefined;
  // If overlapping requests seem too much for the target, the next attempt sends them one by one.
  const inTurn = <R>(step: () => Promise<R>): Promise<R> =>
    crowded.length > 0 ? client.pace.oneAtATime(step) : step();
  for (let number = 1; ; number++) {
    work.begin();
    const came = await cameOf(() => inTurn(ask));
    if (work.isStopped || isHopeless(came) || isOfCase(came)) return resultOf(came);
    const suspicious = suspiciousIn(came, work);
    if (crowded.length > 0 && suspicious.length === 0) {
      signs.record('crowded', 'requests went well one by one, but not when they overlapped', ...crowded);
      client.pace.limit();
    }
    // A single error of a gateway may be due to chance. The second one in a row may be due to overlapping requests.
    crowded = suspicious.filter((one) => wasCrowded(one) && (hadOutage || !isOfOutage(one)));
    hadOutage = suspicious.some(isOfOutage);
    // A server error counts as an answer, unless this target is known to fail at requests only because they overlap.
    const isKnown = crowded.length > 0 && signs.of('crowded').length > 0;
    const mayPass =
      hadOutage ||
      isKnown ||
      suspicious.some((one) => isUnanswered(one) || isConflict(one) || one.followsLost === true);
    if ('result' in came) found = isBroken(came.result) ? { result: came.result, mayPass } : undefined;
    let shortage = shortageIn(came);
    if (number < attemptsWorth(suspicious)) {
      const removal = await inTurn(() => cameOf(() => work.removeTags()));
      if (work.isClean) continue;
      // Tags that could not be removed leave no room for the same tags made again.
      shortage = shortageIn(removal);
    }
    if (shortage === undefined || (found === undefined && 'result' in came)) return resultOf(came);
    if (found === undefined) throw shortage;
    // The budget allowed no complete attempt, so the finding stays.
    const { why, exchanges } = found.result;
    if (!found.mayPass || exchanges.some((one) => losses.isSteady(one))) return found.result;
    const isUnsure = `${why}, which may be temporary, and it was not checked again: ${shortage.message}`;
    throw new Undecided('budget', isUnsure, ...exchanges);
  }
}

function resultOf<T>(came: Came<T>): T {
  if ('error' in came) throw came.error;
  return came.result;
}

/** Whether a case of a property failed, which has a path: each case is checked as a part, and had its own attempts. */
const isOfCase = <T>(came: Came<T>): boolean =>
  'result' in came && isBroken(came.result) && (came.result.example?.path ?? '') !== '';

/** The `Undecided` that work ended with, if the reason is the budget. */
const shortageIn = (came: Came<unknown>): Undecided | undefined =>
  'error' in came && came.error.outcome.because === 'budget' ? came.error : undefined;

/** The exchanges without a final answer that may explain the result; none if the check holds. */
function suspiciousIn<T>(came: Came<T>, work: Work): readonly Exchange[] {
  const outcome = 'error' in came ? came.error.outcome : isOutcome(came.result) ? came.result : undefined;
  if (outcome === undefined || outcome.kind === 'holds') return [];
  // The evidence of a finding may lack the request that got no answer.
  const suspicious = [...outcome.exchanges, ...work.unanswered].filter(
    (one) => !work.session.losses.isHopeless(one),
  );
  // An observation is no finding: the accepted repetition of a lost request shows it as well, and so does a request that is
  // never answered, as by a firewall.
  return outcome.kind === 'observed'
    ? suspicious.filter(
        (one) => !(one.followsLost === true && accepted(one)) && !work.session.losses.isSteady(one),
      )
    : suspicious;
}

type Broken = Extract<Outcome, { readonly kind: 'broken' }>;

const isBroken = <T>(result: T): result is T & Broken => isOutcome(result) && result.kind === 'broken';

const isOutcome = (result: unknown): result is Outcome =>
  typeof result === 'object' && result !== null && 'kind' in result && typeof result.kind === 'string';
