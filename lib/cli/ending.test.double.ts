import { expect } from 'vitest';
import { operationOf, type Change } from '../../fixtures/fixture.ts';
import type { Tag } from '../../fixtures/reference/reference.ts';
import type { User } from './user.test.double.ts';

/** When and how a run is ended from outside. */
export interface Moment {
  /** The number of the request at which the run is ended, from 1. */
  readonly at: number;
  readonly signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM';
  /** Whether the server still carries that request out, though its answer is never received. */
  readonly isCarriedOut: boolean;
}

/** Names of other people's tags, some of which look like names that runs give or try out. */
const STRANGERS = ['ctabcdefghijklmn', 'ct', 'null', 'true', '[object Object]', 'groceries', 'é😀', '100%'];

interface Watched {
  readonly change: Change;
  /** Requests so far. */
  readonly seen: () => number;
  /** Resolves when that request has arrived. Its answer is held back until `release`. */
  readonly reached: Promise<void>;
  readonly release: () => void;
  /** Ids of other people's tags that were named in the path of a request. */
  readonly addressed: readonly string[];
}

/** A server with more tags of other people, which stops at one request. */
function stoppingAt({ at, isCarriedOut }: Pick<Moment, 'at' | 'isCarriedOut'>): Watched {
  let reach: () => void = () => undefined;
  let release: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const strangers = new Set<string>();
  const addressed: string[] = [];
  let seen = 0;
  const change: Change = (Base) =>
    class extends Base {
      override seeded(): this {
        super.seeded();
        for (const { username } of this.accounts) for (const name of STRANGERS) this.insert(username, name);
        for (const { tag_id } of [...this.tags.values()].flat()) strangers.add(tag_id);
        return this;
      }

      override async fetch(request: Request): Promise<Response> {
        const id = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1) ?? '');
        if (operationOf(request) !== 'list' && strangers.has(id)) addressed.push(id);
        if (++seen !== at) return super.fetch(request);
        const response = isCarriedOut ? await super.fetch(request) : this.json(500, {});
        reach();
        await released;
        return response;
      }
    };
  return { change, seen: () => seen, reached, release, addressed };
}

/** How many requests a whole run makes. */
export async function requestsOfRun(user: User, args: readonly string[] = []): Promise<number> {
  const watched = stoppingAt({ at: 0, isCarriedOut: true });
  const target = await user.serve(watched.change);
  expect((await user.run(args, target.environment)).code).toBe(0);
  return watched.seen();
}

/** Ends a run at that moment, sweeps if the run could not remove its tags, and expects both accounts to be as before. */
export async function expectAsBefore(
  user: User,
  moment: Moment,
  args: readonly string[] = [],
): Promise<void> {
  const watched = stoppingAt(moment);
  const target = await user.serve(watched.change);
  const tags = (): readonly (readonly Tag[])[] =>
    target.accounts.map(({ username }) => [...target.server.of(username)]);
  const before = tags();
  const running = user.spawn(args, target.environment);
  await running.until(watched.reached);
  running.send(moment.signal);
  if (moment.signal === 'SIGKILL') {
    expect((await running.ended).code).toBeNull();
    watched.release();
    const { code, stdout } = await user.run(['sweep'], target.environment);
    expect(code, stdout).toBe(0);
  } else {
    await running.printed('Interrupted: removing the tags of the run.');
    watched.release();
    expect((await running.ended).code).toBe(130);
  }
  expect(tags()).toEqual(before);
  expect(watched.addressed).toEqual([]);
  expect(user.files.filter((file) => file.includes('ledger-'))).toEqual([]);
}
