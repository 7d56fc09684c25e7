import { BUDGETS } from '../effort.ts';
import { Client } from '../http/client.ts';
import type { Answer, Failure } from '../http/exchange.ts';
import { answerOf } from '../http/exchange.test.double.ts';
import type { Transport, Wire } from '../http/transport.ts';
import { Masker } from '../judging/masker.ts';
import { Secret } from '../secret.ts';
import { noLedger, type Ledger } from '../account/ledger.ts';
import { Session, type SessionSettings } from './session.ts';

/** An account in memory, just good enough to talk to. A test replaces the one decision that it is about. */
export class FakeTarget implements Transport {
  /** Names by id. */
  readonly tags: Map<string, string>;
  readonly sent: Wire[] = [];
  /** An answer in place of the right one, which then has no effect either; undefined lets the right one through. */
  instead: (wire: Wire, name: string | undefined) => Answer | Failure | undefined = () => undefined;
  /** The form of the ids. */
  newId: (count: number) => string = (count) => String(100 + count);
  hasStrayBytes = false;
  #made = 0;

  constructor(tags: Readonly<Record<string, string>> = {}) {
    this.tags = new Map(Object.entries(tags));
  }

  send(wire: Wire): Promise<Answer | Failure> {
    this.sent.push(wire);
    const body: unknown = typeof wire.body === 'string' ? JSON.parse(wire.body) : undefined;
    const name = (body as { name?: string } | undefined)?.name;
    return Promise.resolve(this.instead(wire, name) ?? this.#answer(wire, name));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Methods and paths of what was sent, logins left out. */
  get lines(): string[] {
    return this.sent.map(({ method, path }) => `${method} ${path}`).filter((line) => !line.endsWith('login'));
  }

  make(name: string): string {
    const id = this.newId(++this.#made);
    this.tags.set(id, name);
    return id;
  }

  /** The answer that lists these tags. */
  listing(tags: Iterable<readonly [id: string, name: string]> = this.tags): Answer {
    return answerOf(200, { error: false, tagging: [...tags].map(([tag_id, name]) => ({ name, tag_id })) });
  }

  #answer({ method, path }: Wire, name: string | undefined): Answer {
    const url = new URL(path, 'https://target.test');
    if (url.pathname === '/api/v2/auth/login') return answerOf(200, { access_token: 'token-of-the-fake' });
    const id = decodeURIComponent(url.pathname.slice('/api/v2/tagging/'.length));
    switch (method) {
      case 'GET': {
        const filter = url.searchParams.get('tag') ?? '';
        return this.listing([...this.tags].filter(([, name]) => name.includes(filter)));
      }
      case 'POST':
        return answerOf(200, { tagging: { name, tag_id: this.make(name ?? '') } });
      case 'DELETE':
        return this.tags.delete(id) ? answerOf(200, { message: 'gone' }) : answerOf(404, { message: 'none' });
      default:
        if (this.tags.has(id)) this.tags.set(id, name ?? '');
        return answerOf(200, { message: 'renamed' });
    }
  }
}

export const PASSWORD = new Secret('Pass-of-the-fake', '$PASSWORD');

/** A session with that target, and what it is made of. */
export function sessionWith(
  target: Transport,
  parts: {
    readonly ledger?: Ledger;
    readonly settings?: Partial<SessionSettings>;
    readonly patienceMs?: number;
    readonly timeoutMs?: number;
  } = {},
): { session: Session; client: Client; masker: Masker } {
  const masker = new Masker();
  masker.add(PASSWORD);
  const settings: SessionSettings = {
    base: new URL('https://target.test/'),
    username: 'someone',
    password: PASSWORD,
    extraHeaders: [],
    allowsHttp: false,
    seed: 'a seed',
    effort: 'standard',
    settleMs: 2,
    maxLiveTags: 20,
    maxTimeMs: 60_000,
    ...parts.settings,
  };
  const client = new Client(target, {
    timeoutMs: parts.timeoutMs ?? 1_000,
    concurrency: 8,
    patienceMs: parts.patienceMs ?? 0,
    ...BUDGETS[settings.effort],
  });
  return { session: new Session(settings, client, masker, parts.ledger ?? noLedger), client, masker };
}
