import { answerOf } from '../http/exchange.test.double.ts';
import { FakeTarget, PASSWORD, sessionWith } from '../run/session.test.double.ts';
import type { Session } from '../run/session.ts';
import { loginBody } from './credentials.ts';

/** A target of which every login ends the tokens before it, and a login of somebody who does not want its token. */
export function endingTokens(parts?: Parameters<typeof sessionWith>[1]): {
  session: Session;
  target: FakeTarget;
  logIn: () => Promise<unknown>;
  /** Numbers of the exchanges that were taken back. */
  takenBack: number[];
} {
  const target = new FakeTarget();
  let valid = 0;
  target.instead = ({ path, headers }) => {
    if (path.endsWith('/login')) return answerOf(200, { access_token: `token-number-${++valid}` });
    const isValid = headers.some(([, value]) => value === `Bearer token-number-${valid}`);
    return isValid ? undefined : answerOf(401, { message: 'no' });
  };
  const { session } = sessionWith(target, parts);
  const takenBack: number[] = [];
  session.client.listeners.push({ retracted: ({ number }) => void takenBack.push(number) });
  return {
    session,
    target,
    takenBack,
    logIn: () => session.first.logins.send(loginBody({ username: 'someone', password: PASSWORD }, ['user'])),
  };
}
