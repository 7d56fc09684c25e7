import { isRunName } from '../account/names.ts';
import type { Account } from '../account/account.ts';
import { BUDGETS, type Effort } from '../effort.ts';
import { header, statusOf, type Exchange } from '../http/exchange.ts';
import { harmless, lineOf, whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import type { Session } from '../run/session.ts';
import { slipAtLogin } from '../run/slip.ts';
import { LIMITED_SCOPES } from '../spec/operations.ts';
import { listedIn, tokenIn } from '../spec/reading.ts';
import { fine, inWords, note, wrong, type Finding } from './finding.ts';

/** Clocks that are further apart make tokens look ended, or not yet valid. */
const APART_MS = 5_000;

/** About as long as a run needs a token. */
const SHORT_LIFE_MS = 5 * 60_000;

/** What to do about an answer that is no list. */
const LIST_FIRST =
  'Compare the answer with section 4.4 of the specification: nothing can be certified without a list.';

/** What was seen of the target's limits. */
interface Limits {
  deferred?: Exchange;
  readonly exchanges: Exchange[];
}

/**
 * Looks at the accounts of a target: credentials, scopes, clock, rate limits, tags that runs left, the token from the control
 * panel. Sends logins and lists only, at most twelve requests, and waits for no pause that the target asks for.
 */
export async function accountFindings(session: Session, effort: Effort): Promise<readonly Finding[]> {
  const { client, first, second } = session;
  const limits: Limits = { exchanges: [] };
  client.listeners.push({
    heard: (exchange) => void limits.exchanges.push(exchange),
    deferred: (exchange) => {
      limits.deferred ??= exchange;
      client.stop(`the target answers ${statusOf(exchange)}, which asks to come back later`);
    },
  });
  const found: Finding[] = [];
  const credentials = await credentialsFinding(
    'credentials',
    first,
    'CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD',
  );
  found.push(credentials);
  if (credentials.state !== 'wrong') {
    found.push(...(await scopesFinding(first)), await listFinding(first));
  }
  found.push(
    second === undefined
      ? note(
          'second account',
          'none is given, so a run leaves out the requirements about two accounts',
          'Give CONFORMANCE_SECOND_USERNAME and CONFORMANCE_SECOND_PASSWORD for a whole run.',
        )
      : await credentialsFinding(
          'second account',
          second,
          'CONFORMANCE_SECOND_USERNAME and CONFORMANCE_SECOND_PASSWORD',
        ),
  );
  if (first.logins.credentials !== undefined) found.push(await panelTokenFinding(session));
  const clock = clockFinding(limits.exchanges);
  // If the conversation was stopped, each step after it says only that.
  const others = found.filter(({ says }) => says !== client.stopped);
  const [stopped] = found.filter(({ says }) => says === client.stopped);
  return [
    ...(clock === undefined ? [] : [clock]),
    ...others,
    ...(stopped === undefined || limits.deferred !== undefined
      ? [limitsFinding(limits, effort)]
      : [
          wrong(
            'HTTP',
            stopped.says,
            'Check the scheme (http or https), the host and the port in CONFORMANCE_BASE_URL.',
          ),
        ]),
  ];
}

/** Lists with the token from the control panel, which a run checks beside the logins. */
function panelTokenFinding({ first, settings: { panelToken } }: Session): Promise<Finding> {
  const what = 'panel token';
  return unlessUndecided(what, async () => {
    if (panelToken === undefined)
      return note(
        what,
        'no token from the control panel is given, so a run leaves out the requirement about it',
        'Give CONFORMANCE_ACCESS_TOKEN for a whole run.',
      );
    const exchange = await first.list(undefined, { token: panelToken, keepsToken: true });
    return listedIn(exchange) === undefined
      ? note(
          what,
          `${lineOf(exchange)} with the token from the control panel ${whatCame(exchange)}`,
          [401, 403].includes(statusOf(exchange))
            ? 'Check that CONFORMANCE_ACCESS_TOKEN is of the account of CONFORMANCE_USERNAME and has not ended: a run fails a target that refuses it.'
            : LIST_FIRST,
        )
      : fine(what, 'the list accepts it');
  });
}

/** The work's finding, or one that says why it could not be made. */
async function unlessUndecided(what: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return wrong(
      what,
      error.message,
      'Send the request by hand with curl, and look at the log of the target.',
    );
  }
}

const credentialsFinding = (what: string, { logins }: Account, variables: string): Promise<Finding> =>
  unlessUndecided(what, async () => {
    if (logins.credentials === undefined)
      return note(
        what,
        'only a token from the control panel is given',
        'Give CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD too, so that the requirements about logins are checked.',
      );
    const slip = await slipAtLogin(logins);
    if (slip !== undefined) {
      const [says = '', ...todo] = slip.slip.split(/\. (?=Check)/);
      return wrong(
        what,
        says.replace(/^T/, 't'),
        todo.join(' ').replace('CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD', variables),
      );
    }
    const token = (await logins.token()).reveal();
    const lifeMs = leftMs(token);
    const says = `the login answers with a token${lifeMs === undefined ? '' : ` that lives for ${inWords(lifeMs)}`}`;
    return lifeMs !== undefined && lifeMs < SHORT_LIFE_MS
      ? note(what, says, 'Nothing: a run logs in again where its token ends. A longer life saves logins.')
      : fine(what, says);
  });

/** How long a JWT is still valid, in milliseconds (RFC 7519, 4.1.4); undefined if the token does not say so. */
function leftMs(token: string): number | undefined {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      exp?: unknown;
    };
    return typeof exp === 'number' ? exp * 1_000 - Date.now() : undefined;
  } catch {
    return undefined;
  }
}

/** Logs in with all scopes but full access at once, and with each alone only if that is refused. */
async function scopesFinding({ logins }: Account): Promise<readonly Finding[]> {
  if (logins.credentials === undefined) return [];
  const isGranted = async (scopes: readonly string[]): Promise<boolean> =>
    tokenIn((await logins.login(scopes)).exchange) !== undefined;
  return [
    await unlessUndecided('scopes', async () => {
      if (await isGranted(LIMITED_SCOPES)) return fine('scopes', 'the account may ask for all seven');
      const refused: string[] = [];
      for (const scope of LIMITED_SCOPES) if (!(await isGranted([scope]))) refused.push(scope);
      return note(
        'scopes',
        refused.length === 0
          ? 'each is granted alone, but not all at once'
          : `the account gets no token for ${refused.join(', ')}`,
        'Let the account ask for every scope: each one that it does not get leaves requirements undecided or failed.',
      );
    }),
  ];
}

const listFinding = (account: Account): Promise<Finding> =>
  unlessUndecided('tags', async () => {
    const exchange = await account.list();
    const tags = listedIn(exchange);
    if (tags === undefined)
      return wrong(
        'tags',
        `${lineOf(exchange)} ${whatCame(exchange)}, which is no list that can be read`,
        LIST_FIRST,
      );
    const left = tags.flatMap(({ name }) => (typeof name === 'string' && isRunName(name) ? name : []));
    return left.length === 0
      ? fine('tags', `the list shows ${tags.length}, none of an earlier run`)
      : note(
          'tags',
          `${left.length} of ${tags.length} listed tags are named like those of a run, such as ${harmless(left[0] ?? '')}`,
          'Remove them by the command sweep, or by hand where their ledgers are lost.',
        );
  });

function clockFinding(exchanges: readonly Exchange[]): Finding | undefined {
  const dated = exchanges.find(({ answer }) => answer !== undefined && header(answer, 'date') !== undefined);
  if (dated?.answer === undefined) return undefined;
  const at = Date.parse(header(dated.answer, 'date') ?? '');
  if (Number.isNaN(at)) return undefined;
  const here = performance.timeOrigin + dated.startedAt + dated.durationMs;
  // The header has whole seconds (RFC 9110, 5.6.7).
  const apartMs = Math.max(0, Math.abs(here - at) - 1_000);
  return apartMs > APART_MS
    ? note(
        'clock',
        `the clock of the target is ${inWords(apartMs)} ${at > here ? 'ahead of' : 'behind'} the one here`,
        'Set both clocks by a time server: tokens may look ended, or not yet valid.',
      )
    : fine('clock', 'the target and this machine agree');
}

/** The header fields in which targets state their limits, in lower case. */
const LIMIT = /^(x-)?rate-?limit(-limit)?$/;

function limitsFinding({ deferred, exchanges }: Limits, effort: Effort): Finding {
  const { requests, logins } = BUDGETS[effort];
  const plan = `a run of the effort ${effort} sends up to ${requests} requests, ${logins} of them logins`;
  const slower = 'Set CONFORMANCE_MAX_RPS to what the target allows, or exempt the account.';
  if (deferred !== undefined)
    return wrong(
      'rate limits',
      `${lineOf(deferred)} ${whatCame(deferred)}; ${plan}`,
      `${slower} Then wait a while.`,
    );
  const told = exchanges.flatMap(({ answer }) => answer?.headers ?? []).find(([name]) => LIMIT.test(name));
  return told === undefined
    ? fine('rate limits', `the target names none; ${plan}`)
    : note('rate limits', `the target names one (${harmless(told.join(': '))}); ${plan}`, slower);
}
