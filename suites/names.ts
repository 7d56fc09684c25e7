import type { Target } from '../lib/engine/target.ts';
import { accepted, statusOf, type Exchange } from '../lib/http/exchange.ts';
import { quote, whatCame } from '../lib/http/wording.ts';
import { broken, doubtful, holds, undecided, type Outcome } from '../lib/outcome.ts';
import type { Suite } from '../lib/requirement.ts';
import { nameTrips, PLAIN, type Trip } from './name-trips.ts';

const ANY_TEXT =
  'name is a string, whose characters and length are not limited (2), and 422 is the answer to an invalid one (7).';
const FAITHFUL =
  'The name of a tag is the one that it was given (2): a target may keep it in a form of its own, but not lose or replace a part of it.';

export const names: Suite = {
  topic: 'name',
  requirements: [
    {
      id: 'name/accepted-or-422',
      effort: 'standard',
      section: '2',
      level: 'derived',
      derivation: ANY_TEXT,
      text: 'A create with a name of any Unicode text is accepted or refused with 422, and nothing else.',
      cause:
        'The database keeps three bytes a character, or a filter in front of the server takes the name for an attack.',
      check: (target) => eachTrip(target, ({ kind, create }) => acceptedOr422(create.exchange, kind)),
    },
    {
      id: 'name/update-accepted-or-422',
      effort: 'standard',
      section: '4.3',
      level: 'derived',
      derivation: ANY_TEXT,
      text: 'An update to a name of any Unicode text is accepted or refused with 422, and nothing else.',
      cause: 'Create and update validate and store by code of their own.',
      check: (target) =>
        eachTrip(target, ({ kind, update }) =>
          update === undefined ? holds() : acceptedOr422(update.exchange, kind),
        ),
    },
    {
      id: 'name/kept-by-create',
      effort: 'standard',
      section: '2',
      level: 'derived',
      derivation: FAITHFUL,
      text: 'An accepted name is kept as it was sent, or in a form that loses nothing but case, blanks or invisible characters.',
      cause:
        'The name is cut to the width of its column, escaped before it is stored, or passes through another encoding.',
      check: (target) => eachTrip(target, ({ kind, create, looks }) => faithful(kind, create, looks)),
    },
    {
      id: 'name/kept-by-update',
      effort: 'standard',
      section: '4.3',
      level: 'derived',
      derivation: FAITHFUL,
      text: 'An update keeps a name as faithfully as a create.',
      cause: 'Create and update validate and store by code of their own.',
      check: (target) =>
        eachTrip(target, ({ kind, update }) => (update === undefined ? holds() : faithful(kind, update, []))),
    },
    {
      id: 'name/refused-leaves-nothing',
      effort: 'standard',
      section: '7',
      level: 'derived',
      derivation: 'A 422 says that the input is invalid (7): nothing came of it.',
      text: 'A name that is refused leaves no tag behind, under that name or a part of it.',
      cause: 'The record is stored before it is validated, or once more in a shortened form.',
      check: (target) =>
        eachTrip(target, ({ create, leftBehind, looks }) =>
          leftBehind === undefined
            ? holds()
            : broken(
                `${whatCame(create.exchange)}, yet a tag named ${quote(leftBehind)} is listed`,
                create.exchange,
                ...looks,
              ),
        ),
    },
    {
      id: 'name/does-not-keep-the-tag',
      effort: 'standard',
      section: '4.5',
      level: 'derived',
      derivation: 'The path of a delete holds the tag_id (4.5): what the tag is called makes no difference.',
      text: 'A tag can be deleted whatever it is called.',
      cause: 'The name is put into a query as it is.',
      check: (target) =>
        eachTrip(target, ({ kind, remove }) => {
          if (remove === undefined || accepted(remove)) return holds();
          return broken(`${whatCame(remove)} to the delete of a tag with ${kind} in its name`, remove);
        }),
    },
  ],
};

/** The first trip that something is wrong with; a plain name has to work, or the names are not to blame. */
async function eachTrip(target: Target, judge: (trip: Trip) => Outcome): Promise<Outcome> {
  const trips = await nameTrips(target);
  const plain = trips.find(({ kind }) => kind === PLAIN);
  if (plain === undefined || !isTravelled(plain) || judge(plain).kind === 'broken') {
    return undecided('failure', 'tags with plain names fare no better');
  }
  const outcomes = trips.map(judge);
  return (
    outcomes.find(({ kind }) => kind === 'broken') ??
    outcomes.find((outcome) => outcome.kind === 'holds' && outcome.warning !== undefined) ??
    holds()
  );
}

const isTravelled = ({ create, update, remove }: Trip): boolean =>
  [create.exchange, update?.exchange, remove].every(
    (exchange) => exchange !== undefined && accepted(exchange),
  );

function acceptedOr422(exchange: Exchange, kind: string): Outcome {
  if (accepted(exchange) || statusOf(exchange) === 422) return holds();
  const why = `${whatCame(exchange)} to a name with ${kind}, neither accepted nor 422`;
  // A page in place of JSON is the answer of something that stands before the server.
  const isOthers = [403, 406].includes(statusOf(exchange)) && exchange.answer?.json.value === undefined;
  return isOthers ? doubtful(why, exchange) : broken(why, exchange);
}

function faithful(
  kind: string,
  { name, exchange, kept }: Trip['create'],
  looks: readonly Exchange[],
): Outcome {
  if (!accepted(exchange) || kept === undefined) return holds();
  if (typeof kept === 'string' && isFormOf(kept, name)) return holds();
  const difference = typeof kept === 'string' ? `, ${firstDifference(name, kept)}` : '';
  return broken(
    `a name with ${kind} was accepted, but became ${quote(kept)}, not ${quote(name)}${difference}`,
    exchange,
    ...looks,
  );
}

/** Whether a name is the one that was sent, in a form in which a target may keep it. */
const isFormOf = (kept: string, sent: string): boolean =>
  folded(kept.replace(CONTROL, '')) === folded(sent.replace(CONTROL, '')) || folded(kept) === folded(sent);

/** Control characters may be dropped or, those that are white space, taken for blanks. */
const CONTROL = /\p{Cc}/gu;

/** What such forms have in common: letter case, the number of blanks, and what cannot be seen do not count. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');

function firstDifference(sent: string, kept: string): string {
  const [one, other] = [[...sent.normalize('NFC')], [...kept.normalize('NFC')]];
  const at = one.findIndex((char, index) => char !== other[index]);
  const code = one[at]?.codePointAt(0);
  return code === undefined
    ? 'with something added at its end'
    : `first different at character ${at + 1}, U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
