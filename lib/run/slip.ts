import { loginBody } from '../account/credentials.ts';
import { type Logins } from '../account/logins.ts';
import { header, statusOf, type Exchange } from '../http/exchange.ts';
import { quote } from '../http/wording.ts';
import { Secret } from '../secret.ts';
import { FULL_ACCESS, LOGIN_PATH, PREFIX } from '../spec/operations.ts';
import { tokenIn } from '../spec/reading.ts';

/** A first login that failed most likely because of a mistake in the settings. */
interface Slip {
  /** What it looks like, and what to check. */
  readonly slip: string;
  readonly exchange: Exchange;
}

/** Statuses with which a target may require an Authorization header for a login, which is a fault of the target (4). */
const DEMANDS_AUTHORISATION: ReadonlySet<number> = new Set([401, 403, 407]);

/** Statuses with which frameworks refuse credentials. */
const REFUSES_CREDENTIALS: ReadonlySet<number> = new Set([302, 400, 401, 403, 422]);

/**
 * Logs in, at most twice with an answer. Returns a slip if the tester seems to have given wrong credentials or a wrong address.
 */
export async function slipAtLogin(logins: Logins): Promise<Slip | undefined> {
  if (logins.credentials === undefined) return undefined;
  let { exchange } = await logins.login();
  // A login without an answer says nothing about the settings. It is sent again if that may help.
  if (statusOf(exchange) === 0) ({ exchange } = await logins.login());
  const slip = slipIn(exchange);
  if (slip === undefined || !DEMANDS_AUTHORISATION.has(statusOf(exchange))) return slip;
  const headers = { Authorization: new Secret('Bearer made-up', 'Bearer made-up') };
  const beside = await logins.send(loginBody(logins.credentials, FULL_ACCESS), { headers });
  return tokenIn(beside) === undefined ? slip : undefined;
}

/** What a service of another protocol sent in place of an answer, such as the banner of an SSH server. */
function otherProtocolIn({ failure }: Exchange): string | undefined {
  if (failure?.kind !== 'malformed' || failure.bytes === undefined) return undefined;
  const [line = ''] = Buffer.from(failure.bytes).toString('latin1').split(/\r?\n/, 1);
  return /^(HTTP\b|ICY )/i.test(line) ? undefined : line;
}

function slipIn(exchange: Exchange): Slip | undefined {
  const status = statusOf(exchange);
  const line = otherProtocolIn(exchange);
  if (line !== undefined) {
    const slip = `The address does not speak HTTP: the login was answered ${quote(line)}. Check CONFORMANCE_BASE_URL, its port, and whether it begins with http or https.`;
    return { slip, exchange };
  }
  if (status === 0 || tokenIn(exchange) !== undefined) return undefined;
  const body = exchange.answer?.json.value;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  // A server of another kind may not implement POST (501: RFC 9110, 15.6.2). Other server errors are faults of the target.
  if (status >= 500 && (status !== 501 || isObject)) return undefined;
  // A success with other JSON, or with JSON that is not well-formed, is a finding.
  const mediaType = exchange.answer && header(exchange.answer, 'content-type');
  const isJson = isObject || mediaType?.includes('json') === true;
  if (isJson && status >= 200 && status < 300) return undefined;
  if (isObject && REFUSES_CREDENTIALS.has(status)) {
    const { message } = body as { message?: unknown };
    const saying = typeof message === 'string' ? `, saying ${quote(message)}` : '';
    const slip = `The target refuses the credentials (${status}${saying}). Check CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD.`;
    return { slip, exchange };
  }
  const form = isObject ? 'with JSON of another form' : 'without JSON';
  const slip = `The address does not look like this API: the login was answered ${status} ${form}. Check CONFORMANCE_BASE_URL, which is given without ${PREFIX}, and whether the server has the route POST ${LOGIN_PATH}.`;
  return { slip, exchange };
}
