import { z } from 'zod';
import {
  accepted,
  allOf,
  answers,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  matches,
  type Outcome,
  Secret,
  spec,
  statusOf,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { type Pair, unrefused } from '../pair.ts';
import { tokenLeak } from './leaks.ts';

export const refusesCredentials = async (target: Target, pair: Pair): Promise<Outcome> =>
  allOf(
    matches.refusal(pair, 302, spec.bodies.message),
    await givesNoToken(target, pair),
    hasNoEmptyToken(pair),
  );

/** A client that asks only whether the member exists would take the refusal for a right login. */
const hasNoEmptyToken = ({ refused }: Pair): Outcome =>
  answers.member(refused, 'access_token') === undefined
    ? holds()
    : holdsWithWarning(
        `${whatCame(refused)} with a member access_token, although it gives no token`,
        refused,
      );

export const allGiveNoToken = async (target: Target, pairs: readonly Pair[]): Promise<Outcome> =>
  allOf(...(await Promise.all(pairs.map((pair) => givesNoToken(target, pair)))));

/**
 * Checks that wrong credentials are refused in a lawful way: with 302, or by a validator, a lock or an intermediary. A
 * 500 is an uncaught exception, and a success status is not a refusal, even without a token. If an ordinary wrong login
 * is answered 302, another one must not be answered 401 or 404. The run itself repeats requests that a gateway or a
 * restart may have disturbed.
 *
 * @param ordinary a login with a made-up username or password, which is sent once in a run.
 * @param areOfValidForm whether no validator refuses the credentials.
 */
export async function noneFails(
  pairs: readonly Pair[],
  ordinary: () => Promise<Pair>,
  areOfValidForm = false,
): Promise<Outcome> {
  const inPlace = areOfValidForm ? [...IN_PLACE_OF_302, ...OF_VALIDATORS] : IN_PLACE_OF_302;
  const isFailure = ({ refused }: Pair): boolean => statusOf(refused) === UNCAUGHT || accepted(refused);
  const isOther = ({ refused }: Pair): boolean => inPlace.includes(statusOf(refused));
  const failed =
    pairs.find(isFailure) ??
    (pairs.some(isOther) && statusOf((await ordinary()).refused) === 302 ? pairs.find(isOther) : undefined);
  return failed === undefined
    ? holds()
    : broken(
        `wrong credentials of two strings are answered ${statusOf(failed.refused)}, not 302`,
        failed.refused,
        failed.accepted,
      );
}

const UNCAUGHT = 500;

/** Statuses with which other interfaces answer wrong credentials. */
const IN_PLACE_OF_302: readonly number[] = [401, 404];

/** Statuses with which validators refuse credentials of another form than they expect. */
const OF_VALIDATORS: readonly number[] = [400, 422];

export async function givesNoToken(target: Target, pair: Pair): Promise<Outcome> {
  const { accepted: right, refused } = pair;
  if (statusOf(refused) === 0) return unrefused(`the login ${whatCame(refused)}`, refused, right);
  const leak = await tokenLeak(target, refused, right);
  return leak === undefined
    ? holds()
    : broken(`a login${presentedBy(pair)} ${whatCame(refused)}, and ${leak}`, refused, right);
}

/** What a login presents in place of the right username and password, as evidence shows it; empty if it shows no difference. */
function presentedBy({ accepted: right, refused }: Pair): string {
  const [expected, given] = [fieldsOf(right), fieldsOf(refused)];
  const parts = (['username', 'password'] as const).flatMap((field) => {
    const value = given?.[field];
    if (given === undefined || value === expected?.[field]) return [];
    const label = typeof value === 'string' && value.startsWith('$') ? value : JSON.stringify(value);
    return value === undefined ? `no ${field}` : `the ${field} ${label}`;
  });
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
}

/** The members of a login's body as evidence shows them; undefined if it is not JSON. */
function fieldsOf({ ask: { body } }: Exchange): Readonly<Record<string, unknown>> | undefined {
  try {
    return z
      .record(z.string(), z.unknown())
      .safeParse(JSON.parse(body instanceof Secret ? body.label : String(body))).data;
  } catch {
    return undefined;
  }
}
