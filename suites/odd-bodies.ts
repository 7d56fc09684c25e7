import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  holdsWithWarning,
  type Lookup,
  type Outcome,
  type Pair,
  quote,
  refuses,
  type Requirement,
  type Tag,
  type Target,
  undecided,
  Undecided,
  statusOf,
  whatCame,
} from '../lib/check.ts';
import { acceptedCreate } from './create/refusals.ts';
import { spareAccount } from './login/wrong-logins.ts';
import { oddBodies, type OddBody, type OddKind } from './odd-values.ts';
import { holdsAsHidden, holdsAsTaken, isTakenText } from './taken-text.ts';
import { nameNow } from './update/effect.ts';

/** One request with a body that has to be refused. */
interface Sent extends Omit<OddBody, 'body'> {
  /** The tag that it was to update. */
  readonly tag: Tag;
  readonly exchange: Exchange;
  /** It was refused because the text of the value is taken as a name. */
  readonly isTaken: boolean;
  /** The tag afterwards, if the request was accepted or was the last one. */
  readonly look?: Lookup;
}

/** For the tag that is updated, and for another one. */
const ROOM = 2;

/** Updates one tag with every odd body, once in a run, beside an update that is accepted. */
const oddUpdates = (target: Target): Promise<{ readonly twin: Exchange; readonly sent: readonly Sent[] }> =>
  target.shared('updates with odd bodies', ROOM, async (work) => {
    // The first account is asked with other invalid names.
    const shared = spareAccount(work);
    const name = shared.name();
    const first = await sendAll(shared, await shared.makeTag(), name, 'once');
    const twinOf = ({ tagId }: Tag): Promise<Exchange> => shared.rename(tagId, { name: shared.name() });
    if (!first.sent.some(isChanged)) return { twin: await twinOf(first.tag), sent: first.sent };
    // One look does not show which of several refused updates had the effect, which may be that the tag is gone.
    const anew = (): Promise<Tag> => shared.removeTags().then(() => shared.makeTag());
    const again = await sendAll(shared, await anew(), name, 'after each');
    const { sent } = again.sent.some(isChanged) ? again : first;
    return { twin: await twinOf(await anew()), sent };
  });

/** Whether a refused update had an effect on the tag all the same. */
const isChanged = ({ tag, exchange, look }: Sent): boolean =>
  !accepted(exchange) && look !== undefined && nameIn(look, tag) !== tag.name;

/** Updates a tag with every odd body, and looks at it. Where the effect of one cannot be undone, another tag takes its place. */
async function sendAll(
  target: Target,
  start: Tag,
  name: string,
  looks: 'once' | 'after each',
): Promise<{ readonly tag: Tag; readonly sent: readonly Sent[] }> {
  let tag = start;
  const sent: Sent[] = [];
  const bodies = oddBodies(name);
  for (const [at, { body, ...parts }] of bodies.entries()) {
    const { tagId, name: former } = tag;
    const open = parts.kind === 'no object' ? { open: true } : undefined;
    const send = (): Promise<Exchange> => target.rename(tagId, body, open);
    const answered = await send();
    // So many requests in a row may well meet a gateway that loses an answer now and then.
    const exchange = [502, 504].includes(statusOf(answered)) ? await send() : answered;
    const names = [former, name, ...parts.texts.filter(Boolean)];
    const look = (): Promise<Lookup> => target.lookUp(tagId, ...names);
    const seenWhere = async (isGood: (name: unknown) => boolean): Promise<Lookup> =>
      (await target.until(look, (seen) => isGood(nameIn(seen, { tagId })), { late: 'ignored' })).seen;
    // An accepted update may show late. After a refusal one look at the end is enough, because most targets refuse all.
    const seen = accepted(exchange)
      ? await seenWhere((now) => now !== former)
      : looks === 'after each' || at === bodies.length - 1
        ? await seenWhere((now) => now === former)
        : undefined;
    const isTaken = await isTakenText(target, exchange, parts.texts);
    sent.push({ ...parts, tag, exchange, isTaken, ...(seen === undefined ? {} : { look: seen }) });
    if (seen === undefined || nameIn(seen, tag) === former) continue;
    // The next body needs an unchanged tag. A name that a tag has had may stay taken for good.
    const back = await target.rename(tagId, { name: former });
    if (accepted(back) && (await target.untilListed(tagId, former)).good) continue;
    await target.removeTags();
    if (target.facts.room < ROOM) break;
    tag = await target.makeTag();
  }
  return { tag, sent };
}

const nameIn = ({ entries }: Lookup, { tagId }: Pick<Tag, 'tagId'>): unknown =>
  entries.find((entry) => entry.tagId === tagId)?.name;

async function updatesRefused(target: Target, kind: OddKind): Promise<Outcome> {
  const { twin, sent } = await oddUpdates(target);
  if (!accepted(twin)) return undecided('failure', `an update with a plain name ${whatCame(twin)}`, twin);
  // Whether a name may be empty is open, but not how one that may not is refused.
  const own = sent.filter(
    (one) => one.kind === kind || (kind === 'falsy' && one.kind === 'blank' && !accepted(one.exchange)),
  );
  if (own.length === 0) return undecided('failure', 'an update with another body changed the tag before');
  let warning: Outcome | undefined;
  for (const { tag, what, texts, exchange, isTaken, look } of own) {
    const now = look === undefined ? tag.name : nameIn(look, tag);
    const why = `${whatCame(exchange)} to an update ${what}`;
    if (accepted(exchange) && typeof now === 'string' && now !== tag.name && texts.includes(now)) {
      warning = holdsWithWarning(`${why}: the value was converted to the string ${quote(now)}`, exchange);
      continue;
    }
    if (isTaken && now === tag.name) {
      warning = holdsAsTaken(exchange);
      continue;
    }
    if (accepted(exchange) && now === undefined && texts.length > 0 && look?.mayGoOn === true) {
      warning = holdsAsHidden(exchange);
      continue;
    }
    if (now !== tag.name)
      return broken(`${why}, and ${nameNow(now, tag)}`, exchange, ...(look?.exchanges ?? []));
    const outcome = refused({ accepted: twin, refused: exchange }, kind, why);
    if (outcome.kind !== 'holds') return outcome;
  }
  return warning ?? holds();
}

/** The status of a body that is no JSON object is open. */
function refused(pair: Pair, kind: OddKind, why: string): Outcome {
  if (kind !== 'no object') return refuses(pair, 422);
  if (statusOf(pair.refused) === 0) return undecided('failure', why, pair.refused);
  return accepted(pair.refused) ? broken(`${why}, a success`, pair.refused) : holds();
}

/** Sends creates with the odd bodies of a kind, beside one that is accepted. */
async function createsRefused(target: Target, kind: 'falsy' | 'elsewhere'): Promise<Outcome> {
  const twin = await acceptedCreate(target, kind === 'falsy' ? 'second' : 'first');
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
    const outcome = refuses({ accepted: twin, refused: exchange }, 422);
    if (outcome.kind !== 'holds') return outcome;
  }
  if (kind === 'falsy') return warning ?? holds();
  const { entries, exchanges } = await target.lookUp(undefined, name);
  return entries.length === 0
    ? holds()
    : broken(
        'a create with the name inside another member was refused, yet the tag is listed',
        ...sent,
        ...exchanges,
      );
}

/** Sends a create, unless nothing could find the tag again that it may make. */
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
    text: `A create ${FALSY_TEXT} is answered 422.`,
    cause: 'A value that counts as false is taken for a name that needs no validation.',
    tags: 4,
    check: (target) => createsRefused(spareAccount(target), 'falsy'),
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
    cause: 'A value that counts as false is taken for a name that is to stay.',
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
