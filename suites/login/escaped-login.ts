import { accepted, type Exchange, Secret, type Target, tokenIn } from '../../lib/check.ts';
import { loginInTurn } from './turns.ts';

/** Scopes of which the first and the last one stand there in no other set that a run asks for. */
export const ESCAPED_SCOPES = ['mutation', 'api', 'user'];

/** A right login that is written with JSON escapes. */
export interface EscapedLogin {
  readonly escaped: Exchange;
  /** The same login without escapes, if the other one was given no token. */
  readonly plain?: Exchange;
}

/** The JSON text of a string, each character of it as an escape (RFC 8259, 7). */
const inEscapes = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

/** Logs in with escapes for a set of scopes; done once in a run. */
export const escapedLogin = (target: Target): Promise<EscapedLogin> =>
  target.shared('escaped-login', 0, async (shared) => {
    const { username, password } = shared.credentials;
    const scopes = ESCAPED_SCOPES.map(inEscapes).join(', ');
    const body = (secret: string): string =>
      ` { "p\\u0061ssword":\t${secret},\n"scopes": [ ${scopes} ], "username" :${inEscapes(username)} } `;
    const login = new Secret(body(inEscapes(password.reveal())), body(`"${password.label}_IN_ESCAPES"`));
    const escaped = await loginInTurn(shared, shared, 'a right login', () => shared.sendLogin(login));
    const isRight = accepted(escaped) && tokenIn(escaped) !== undefined;
    return isRight ? { escaped } : { escaped, plain: await shared.login(ESCAPED_SCOPES) };
  });
