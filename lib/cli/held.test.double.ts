import { operationOf, type Change, type OperationName } from '../../fixtures/fixture.ts';
import type { Reference } from '../../fixtures/reference/reference.ts';

/** A request whose answer is held back, so that a test can act in the middle of a run. */
export interface Held {
  readonly change: Change;
  /** Resolves when the request was carried out. Its answer is still held back. */
  readonly reached: Promise<void>;
  readonly release: () => void;
}

/** Holds back the answer to the first request that `chosen` accepts. */
export function holding(chosen: (request: Request, server: Reference) => boolean | Promise<boolean>): Held {
  let reach: () => void = () => undefined;
  let release: () => void = () => undefined;
  let first = true;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const change: Change = (Base) =>
    class extends Base {
      override async fetch(request: Request): Promise<Response> {
        const held = (await chosen(request.clone(), this)) && first;
        if (held) first = false;
        const response = await super.fetch(request);
        if (held) {
          reach();
          await released;
        }
        return response;
      }
    };
  return { change, reached, release };
}

/** Chooses the nth request of that operation. */
export function nth(count: number, operation: OperationName): (request: Request) => boolean {
  let seen = 0;
  return (request) => operationOf(request) === operation && ++seen === count;
}

/** Chooses a login with a wrong password: these come after everything else. */
export async function wrongLogin(request: Request, { accounts }: Reference): Promise<boolean> {
  if (operationOf(request) !== 'login') return false;
  const { password } = (await request.json()) as { password: unknown };
  return accounts.every((account) => account.password !== password);
}
