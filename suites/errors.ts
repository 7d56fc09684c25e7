import {
  answers,
  broken,
  type Exchange,
  holds,
  matches,
  type Outcome,
  quote,
  RawBody,
  spec,
  statusOf,
  type Suite,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { isEnglish } from './errors/english.ts';
import { internalsIn } from './errors/internals.ts';
import { listWithoutToken, tour } from './tour.ts';
import { updatesToNamesInUse } from './update/effect.ts';

/** Sends a create and an update without a name, so that `watch` has validation errors to look at. */
const afterRefusals = async (target: Target): Promise<Outcome> => {
  const { refusedCreate, refusedUpdate } = await tour(target);
  const other = [refusedCreate, refusedUpdate ?? refusedCreate].find(
    (exchange) => statusOf(exchange) !== 422,
  );
  return other === undefined
    ? holds()
    : undecided(
        'failure',
        `a request without a name ${whatCame(other)}, so there is no validation error to look at`,
        other,
      );
};

/** Checks the validation errors of updates to names in use. Whether they are accepted is open, so nothing else looks at them. */
async function takenNames(target: Target): Promise<Outcome> {
  const { same, taken } = await updatesToNamesInUse(target);
  for (const exchange of [same, taken]) {
    const difference =
      statusOf(exchange) === 422 ? matches.difference(exchange, 422, spec.bodies.validation) : undefined;
    if (difference !== undefined) return broken(difference, exchange);
  }
  return holds();
}

/** Whether the specification gives the body of this answer as a validation error. */
const isValidationError = ({ ask, answer }: Exchange): boolean =>
  ask.regular && answer?.status === 422 && (ask.operation === 'create' || ask.operation === 'rename');

const GIVEN_MESSAGE = 'The given data was invalid.';

export const errors: Suite = {
  topic: 'error',
  requirements: [
    {
      id: 'error/validation-body',
      section: '7',
      sentences: [
        '4.2/status-422',
        '4.3/status-422',
        '7/validation-message',
        '7/validation-errors',
        '7/validation-error-lists',
      ],
      level: 'required',
      text: 'A 422 of create or update has a message, and errors that map each field to an array of strings.',
      cause: 'The framework sends validation errors in its own form, such as a list of problems.',
      check: async (target) => {
        const outcome = await afterRefusals(target);
        return outcome.kind === 'holds' && target.settings.effort !== 'quick' ? takenNames(target) : outcome;
      },
      watch: (exchange) =>
        isValidationError(exchange) ? matches.difference(exchange, 422, spec.bodies.validation) : undefined,
    },
    {
      id: 'error/says-something',
      section: '7',
      sentences: ['7/validation-errors', '7/validation-error-lists'],
      level: 'derived',
      derivation:
        'The body maps each wrong field to its messages (7): an empty object or list names no error.',
      text: 'The errors of a 422 of create or update name at least one field, each with at least one message.',
      cause: 'The messages are looked up in a language file that lacks them.',
      check: afterRefusals,
      watch: (exchange) => {
        const errors = errorsOf(exchange);
        if (errors === undefined) return undefined;
        if (Object.keys(errors).length === 0) return 'answered 422, but errors names no field';
        const silent = Object.entries(errors).find(
          ([, messages]) => Array.isArray(messages) && messages.length === 0,
        );
        return silent === undefined ? undefined : `answered 422, but errors.${silent[0]} holds no message`;
      },
    },
    {
      id: 'error/names-the-field',
      section: '7',
      sentences: ['4.2/status-422', '4.3/status-422', '7/validation-errors'],
      level: 'derived',
      derivation:
        'errors maps each wrong field to its messages (7), and the field of the name is called name (4.2, 4.3).',
      text: 'The errors of a 422 for a missing or invalid name have a member called name.',
      cause: 'The errors are keyed by a path or by the name of a class, not by the field.',
      check: afterRefusals,
      watch: (exchange) => {
        const errors = isValidationError(exchange) && isAboutName(exchange) ? errorsOf(exchange) : undefined;
        if (errors === undefined || Object.keys(errors).length === 0 || Object.hasOwn(errors, 'name'))
          return undefined;
        return `answered 422 for a name, but errors has ${quote(Object.keys(errors))}, not name`;
      },
    },
    {
      id: 'error/says-the-given-message',
      section: '7',
      sentences: ['7/validation-message', '7/validation-language'],
      level: 'advisory',
      text: 'The message of a 422 of create or update is the one that section 7 prints, or one in a local language.',
      cause: 'The framework uses its own message, or repeats the first error.',
      check: afterRefusals,
      watch: (exchange) => {
        if (!isValidationError(exchange)) return undefined;
        const message = answers.member(exchange, 'message');
        if (typeof message !== 'string' || message === GIVEN_MESSAGE) return undefined;
        if (message.trim() === '') return 'answered 422 with an empty message';
        return isEnglish(message)
          ? `answered 422 with the message ${quote(message)}, not ${quote(GIVEN_MESSAGE)}`
          : undefined;
      },
    },
    {
      id: 'error/discloses-no-internals',
      section: '7',
      sentences: ['7/errors'],
      level: 'advisory',
      text: 'No error discloses a stack trace, a query or a file path.',
      cause: 'The server runs in debug mode.',
      tags: 1,
      check: async (target) => {
        await tour(target);
        await listWithoutToken(target);
        await target.create(new RawBody('{"name":'), { open: true });
        return holds();
      },
      watch: (exchange) => {
        if (statusOf(exchange) < 300) return undefined;
        const found = internalsIn(exchange);
        return found === undefined ? undefined : `${whatCame(exchange)} with ${found} in its body`;
      },
    },
  ],
};

/** Whether only the name of a request is wrong: it is missing or not a string. */
function isAboutName({ ask }: Exchange): boolean {
  if (typeof ask.body !== 'string') return false;
  const body = JSON.parse(ask.body) as Record<string, unknown>;
  return Object.keys(body).every((key) => key === 'name') && typeof body['name'] !== 'string';
}

function errorsOf(exchange: Exchange): Record<string, unknown> | undefined {
  if (!isValidationError(exchange)) return undefined;
  const errors = answers.member(exchange, 'errors');
  return typeof errors === 'object' && errors !== null && !Array.isArray(errors)
    ? (errors as Record<string, unknown>)
    : undefined;
}
