import {
  answers,
  broken,
  createdIn,
  type Exchange,
  generated,
  holds,
  holdsWithWarning,
  ifDecided,
  matches,
  type Outcome,
  quote,
  statusOf,
  type Suite,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { assignsTheId, distinctIds } from './create/ids.ts';
import { jsonForms } from './create/json.ts';
import { lasts, persists } from './create/lasting.ts';
import { refusedCreates } from './create/refusals.ts';
import { sameNameTwice } from './create/twins.ts';
import { lackOfTags, spareAccount } from './spare-account.ts';
import { noteCreate } from './tour.ts';

/** A plain name in capitals, and with a capital in front. */
const inCapitals = (name: string): string[] => [
  name.toUpperCase(),
  `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
];

const holdsOther = (held: unknown, sent: string): string =>
  `the answer holds the name ${quote(held)}, not ${quote(sent)}`;

/** What is wrong with the name in the answer to a create of a plain name. Its letter case is open. */
function otherNameIn(exchange: Exchange): string | undefined {
  const { operation, regular, body } = exchange.ask;
  const sent = generated.ownLettersIn(String(body))?.toLowerCase();
  const created = createdIn(exchange);
  const isOfPlain = operation === 'create' && regular && body === JSON.stringify({ name: sent });
  if (sent === undefined || created === undefined || !isOfPlain) return undefined;
  return String(created.name).toLowerCase() === sent ? undefined : holdsOther(created.name, sent);
}

export const create: Suite = {
  topic: 'create',
  requirements: [
    {
      id: 'create/answers',
      section: '4.2',
      sentences: [
        '1/create',
        '1/tag-members',
        '2/tag-name-type',
        '2/tag-id-type',
        '4.2/path',
        '4.2/body',
        '4.2/status-200',
        '4.2/status-200-tagging',
        '4.2/status-200-name',
        '4.2/status-200-tag-id',
        '9/prefix',
      ],
      level: 'required',
      text: 'A create with a name is answered 200 with the tag, which has a name and a tag_id.',
      cause: 'The framework answers creates with 201, or the tag is not wrapped in a member tagging.',
      signs: ['create-refused', 'create-error'],
      tags: 2,
      check: async (target) => {
        const outcome = matches.success(
          await noteCreate(target, await target.create({ name: target.name() })),
        );
        if (outcome.kind !== 'holds') return outcome;
        const second = await ifDecided(() => answersInSecond(target));
        return second?.kind === 'broken' ? second : outcome;
      },
      watch: matches.everySuccess('create'),
    },
    {
      id: 'create/echoes-name',
      section: '4.2',
      sentences: ['2/tag-name-meaning', '4.2/status-200-name'],
      level: 'required',
      text: 'The answer to a create holds the name as it was sent.',
      cause: 'The answer is made from the stored name, which was trimmed, cut or escaped.',
      tags: 1,
      check: async (target) => {
        const name = target.name().toLowerCase();
        const exchange = await target.create({ name });
        const created = createdIn(exchange);
        if (created === undefined)
          return undecided('failure', `create ${whatCame(exchange)} without a tag`, exchange);
        if (created.name === name) return holds();
        const why = holdsOther(created.name, name);
        // The specification does not show in which letter case names are kept.
        const isKeptForm = inCapitals(name).includes(String(created.name));
        return isKeptForm ? holdsWithWarning(why, exchange) : broken(why, exchange);
      },
      watch: otherNameIn,
    },
    persists,
    distinctIds,
    assignsTheId,
    sameNameTwice,
    lasts,
    ...jsonForms,
    ...refusedCreates,
  ],
};

/** Checks that creates in the second account, if there is one, are not refused in a way that no lack of room or rights explains. */
async function answersInSecond(target: Target): Promise<Outcome> {
  const account = spareAccount(target);
  if (account === target || target.settings.effort === 'quick') return holds();
  const lack = await lackOfTags(target);
  if (lack === undefined || lack.outcome.because === 'tester') return holds();
  const create = await account.create({ name: account.name() });
  const isRefused = answers.isClientError(create) && ![401, 408, 429].includes(statusOf(create));
  return isRefused
    ? broken(
        `in the second account, the create ${whatCame(create)}, neither 200 nor 422`,
        ...lack.outcome.exchanges,
        create,
      )
    : holds();
}
