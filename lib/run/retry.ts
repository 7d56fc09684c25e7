import { attemptsWorth, isConflict, isOfOutage, wasCrowded } from '../http/retryable.ts';
import { accepted, isUnanswered, type Exchange } from '../http/exchange.ts';
import { Undecided, type Outcome } from '../outcome.ts';
import type { Work } from './work.ts';

/**
 * Retries work that failed because requests got no answer. Checks, parts and the preflight retry through it.
 *
 * @param attempt does the work once.
 * @param failedIn the exchanges in which the work failed; none if it succeeded.
 * @param clear prepares another attempt. Returns false if there must be none.
 */
export async function repeat<T>(
  attempt: () => Promise<T>,
  failedIn: (result: T) => readonly Exchange[],
  clear: () => Promise<boolean>,
): Promise<T> {
  for (let number = 1; ; number++) {
    const result = await attempt();
    if (number >= attemptsWorth(failedIn(result)) || !(await clear())) return result;
  }
}

/** How an attempt ended: with a result, or with an `Undecided`. */
type Came<T> = { readonly result: T } | { readonly error: Undecided };

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
  const { client, signs } = work.session;
  let crowded: readonly Exchange[] = [];
  let hadOutage = false;
  let shortage: Undecided | undefined;
  /** The last finding. If an answer was lost, it may be due to that, and counts only if it comes again. */
  let found: { readonly result: T & Broken; readonly mayPass: boolean } | undefined;
  // If overlapping requests seem too much for the target, the next attempt sends them one by one.
  const inTurn = <R>(step: () => Promise<R>): Promise<R> =>
    crowded.length > 0 ? client.pace.oneAtATime(step) : step();
  const came = await repeat<Came<T>>(
    async () => {
      work.begin();
      try {
        return { result: await inTurn(ask) };
      } catch (error) {
        if (error instanceof Undecided) return { error };
        throw error;
      }
    },
    (one) => {
      if (work.isStopped || isHopeless(one) || isOfCase(one)) return [];
      const suspicious = suspiciousIn(one, work);
      if (crowded.length > 0 && suspicious.length === 0) {
        signs.record('crowded', 'requests went well one by one, but not when they overlapped', ...crowded);
        client.pace.limit();
      }
      // A single error of a gateway may be due to chance. The second one in a row may be due to overlapping requests.
      crowded = suspicious.filter((one) => wasCrowded(one) && (hadOutage || !isOfOutage(one)));
      hadOutage = suspicious.some(isOfOutage);
      const mayPass =
        hadOutage ||
        suspicious.some((one) => isUnanswered(one) || isConflict(one) || one.followsLost === true);
      if ('error' in one) shortage = one.error.outcome.because === 'budget' ? one.error : undefined;
      else found = isBroken(one.result) ? { result: one.result, mayPass } : undefined;
      return suspicious;
    },
    async () => {
      shortage = await inTurn(() => shortageIn(() => work.removeTags()));
      // Tags that could not be removed would leave no room for the same tags made again.
      if (work.isClean) shortage = undefined;
      return work.isClean;
    },
  );
  // If the budget allowed no complete attempt, the finding stays.
  if (found !== undefined && shortage !== undefined) {
    const { result, mayPass } = found;
    if (!mayPass) return result;
    const why = `${result.why}, which may be temporary, and it was not checked again: ${shortage.message}`;
    throw new Undecided('budget', why, ...result.exchanges);
  }
  if ('error' in came) throw came.error;
  return came.result;
}

/** Whether a case of a property failed, which has a path: each case is checked as a part, and had its own attempts. */
const isOfCase = <T>(came: Came<T>): boolean =>
  'result' in came && isBroken(came.result) && (came.result.example?.path ?? '') !== '';

/** The `Undecided` that the work threw, if the reason is the budget. */
async function shortageIn(work: () => Promise<void>): Promise<Undecided | undefined> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return error.outcome.because === 'budget' ? error : undefined;
  }
  return undefined;
}

/** The exchanges without a final answer that may explain the result; none if the check holds. */
function suspiciousIn<T>(came: Came<T>, work: Work): readonly Exchange[] {
  const outcome = 'error' in came ? came.error.outcome : isOutcome(came.result) ? came.result : undefined;
  if (outcome === undefined || outcome.kind === 'holds') return [];
  // The evidence of a finding may lack the request that got no answer.
  const suspicious = [...outcome.exchanges, ...work.unanswered];
  // An observation is no finding: the accepted repetition of a lost request shows it as well.
  return outcome.kind === 'observed'
    ? suspicious.filter((one) => !(one.followsLost === true && accepted(one)))
    : suspicious;
}

type Broken = Extract<Outcome, { readonly kind: 'broken' }>;

const isBroken = <T>(result: T): result is T & Broken => isOutcome(result) && result.kind === 'broken';

const isOutcome = (result: unknown): result is Outcome =>
  typeof result === 'object' && result !== null && 'kind' in result && typeof result.kind === 'string';
