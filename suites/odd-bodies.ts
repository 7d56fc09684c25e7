import {
  accepted,
  allOf,
  broken,
  createdIn,
  type Exchange,
  holds,
  holdsWithWarning,
  listedIn,
  matches,
  type Outcome,
  quote,
  type Requirement,
  statusOf,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { expectNoTag, isLeft } from './create/left-behind.ts';
import { acceptedCreate, createTwin } from './create/refused-together.ts';
import { sendPair } from './pair.ts';
import { accountForTags } from './spare-account.ts';
import { oddBodies, type OddBody, type OddKind } from './invalid-bodies.ts';
import { holdsAsTaken, isTakenText } from './taken-text.ts';
import { judgeRefusal, refusedTogether, type Refusals, TAGS_OF_REFUSALS } from './update/refused-together.ts';

/** Updates one tag with every odd body, once in a run. */
export async function oddUpdates(target: Target): Promise<Refusals<OddBody>> {
  // The second account, if there is one, because other invalid names are sent for the first.
  const isOfFirst = (await accountForTags(target)) === target;
  return target.shared('updates with odd bodies', TAGS_OF_REFUSALS, (shared) => {
    const account = isOfFirst ? shared : shared.second;
    return refusedTogether(account, oddBodies(account.name()));
  });
}

/** Whether a blank name was refused as such. A 409 may say that a tag of somebody else has the name. */
const isRefusedBlank = ({ kind, exchange }: Refusals<OddBody>['sent'][number]): boolean =>
  kind === 'blank' && !accepted(exchange) && statusOf(exchange) !== 409;

async function updatesRefused(target: Target, kind: OddKind): Promise<Outcome> {
  const { twin, sent } = await oddUpdates(target);
  if (!accepted(twin)) return undecided('failure', `an update with a plain name ${whatCame(twin)}`, twin);
  // A target may accept blank names. If it refuses one, the status must be 422.
  const own = sent.filter((one) => one.kind === kind || (kind === 'falsy' && isRefusedBlank(one)));
  if (own.length === 0) return undecided('failure', 'an update with another body changed the tag before');
  // Some frameworks convert a value to an empty string. That is no name on a target that refuses an empty one.
  const refusesEmpty = sent.some(isRefusedBlank);
  const textsOf = ({ texts }: OddBody): readonly string[] => (refusesEmpty ? texts.filter(Boolean) : texts);
  return allOf(...own.map((one) => judgeRefusal({ ...one, texts: textsOf(one) }, twin)));
}

/**
 * Sends creates with the odd bodies of a kind, and checks that they are refused. The second account sends them, if there is
 * one, because other invalid names are sent for the first.
 */
async function createsRefused(account: Target, kind: 'falsy' | 'elsewhere'): Promise<Outcome> {
  const target = await accountForTags(account);
  const twin = await acceptedCreate(target);
  if (!accepted(twin)) return undecided('failure', `a create with a plain name ${whatCame(twin)}`, twin);
  const name = target.name();
  let warning: Outcome | undefined;
  const sent: Exchange[] = [];
  for (const { kind: other, what, texts, body } of oddBodies(name)) {
    if (other !== kind) continue;
    const exchange = await unlessHidden(() =>
      target.create(body, undefined, kind === 'falsy' ? undefined : [name]),
    );
    if (exchange === undefined) continue;
    sent.push(exchange);
    const kept = createdIn(exchange)?.name;
    if (accepted(exchange) && typeof kept === 'string' && texts.includes(kept)) {
      const why = `${whatCame(exchange)} to a create ${what}: the value was converted to the string ${quote(kept)}`;
      warning = holdsWithWarning(why, exchange);
      continue;
    }
    if (await isTakenText(target, exchange, texts)) {
      warning = holdsAsTaken(exchange);
      continue;
    }
    const pair = await sendPair({ ...createTwin(target), refused: () => Promise.resolve(exchange) });
    const outcome = matches.refusal(pair, 422);
    if (outcome.kind !== 'holds') return outcome;
  }
  if (kind === 'falsy') return warning ?? (await leftByFalsy(target)) ?? holds();
  const { entries, exchanges } = await target.lookUp(undefined, name);
  return entries.length === 0
    ? holds()
    : broken(
        'a create with the name inside another member was refused, yet the tag is listed',
        ...sent,
        ...exchanges,
      );
}

/**
 * Checks that the refused creates without a usable name left no tag. If a list shows a tag as they would leave it, which may
 * be a stranger's, they are sent again, each alone.
 */
async function leftByFalsy(target: Target): Promise<Outcome | undefined> {
  const list = listedIn(await target.list());
  if (list?.some((tag) => isLeft(tag, new Set(), [])) !== true) return undefined;
  for (const { kind, what, body } of oddBodies('')) {
    if (kind !== 'falsy') continue;
    const { exchange, left } = await expectNoTag(target, () => target.create(body), []);
    // A target that takes the value for a name makes such tags, and gets a warning for that.
    if (left !== undefined && !accepted(exchange))
      return broken(`to a create ${what}, ${left.why}`, ...left.exchanges);
  }
  return undefined;
}

/** Sends a create; undefined if the run does not send it, because it could not find the resulting tag again. */
async function unlessHidden(create: () => Promise<Exchange>): Promise<Exchange | undefined> {
  try {
    return await create();
  } catch (error) {
    if (
      error instanceof Undecided &&
      error.outcome.kind === 'undecided' &&
      error.outcome.because === 'choice'
    )
      return undefined;
    throw error;
  }
}

const FALSY_TEXT = 'with a name that is 0, false, a negative fraction, an empty array or an empty object';
const ELSEWHERE_TEXT =
  'whose name stands inside another member, under another key or in a list with a number';

/** Requirements about creates with odd bodies. */
export const oddCreates: readonly Requirement[] = [
  {
    id: 'create/name-falsy',
    effort: 'standard',
    section: '4.2',
    sentences: ['2/tag-name-type', '4.2/name-type', '4.2/status-422', '7/create-422'],
    level: 'required',
    text: `A create ${FALSY_TEXT} is answered 422 and makes no tag.`,
    cause: 'A value that counts as false is taken for a name that needs no validation.',
    tags: 4,
    check: (target) => createsRefused(target, 'falsy'),
  },
  {
    id: 'create/name-elsewhere',
    effort: 'standard',
    section: '4.2',
    sentences: ['2/tag-name-on-create', '4.2/body', '4.2/name-required', '4.2/status-422', '7/create-422'],
    level: 'derived',
    derivation: 'The body of a create has a member name (4.2): without it the input is missing (7).',
    text: `A create ${ELSEWHERE_TEXT} is answered 422 and makes no tag.`,
    cause: 'The body is unwrapped, or its name is looked for anywhere.',
    tags: 3,
    check: (target) => createsRefused(target, 'elsewhere'),
  },
];

/** Requirements about updates with odd bodies. */
export const oddBodyUpdates: readonly Requirement[] = [
  {
    id: 'update/name-falsy',
    effort: 'standard',
    section: '4.3',
    sentences: ['2/tag-name-type', '4.3/name-type', '4.3/status-422', '7/update-422'],
    level: 'required',
    text: `An update ${FALSY_TEXT} is answered 422, and so is one with an empty or a blank name that is refused, and the tag keeps its name.`,
    cause: 'A value that counts as false is read as no change of the name.',
    check: (target) => updatesRefused(target, 'falsy'),
  },
  {
    id: 'update/name-elsewhere',
    effort: 'standard',
    section: '4.3',
    sentences: ['2/tag-name-on-update', '4.3/body', '4.3/name-required', '4.3/status-422', '7/update-422'],
    level: 'derived',
    derivation: 'The body of an update has a member name (4.3): without it the input is missing (7).',
    text: `An update ${ELSEWHERE_TEXT} is answered 422, and the tag keeps its name.`,
    cause: 'The body is unwrapped, or its name is looked for anywhere.',
    check: (target) => updatesRefused(target, 'elsewhere'),
  },
  {
    id: 'update/no-object',
    effort: 'standard',
    section: '4.3',
    sentences: ['4/json-sent', '4.3/body', '5/content-type-purpose'],
    level: 'derived',
    derivation:
      'The body of an update is a JSON object with a name (4.3, 5), and these bodies are not JSON objects (RFC 8259).',
    text: 'An update whose body is empty, cut short, plain words, a form, a scalar or an array is refused, and the tag keeps its name.',
    cause: 'A body that cannot be parsed counts as one that changes nothing, or is parsed in another way.',
    check: (target) => updatesRefused(target, 'no object'),
  },
];
