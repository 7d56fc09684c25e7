import { join } from 'node:path';
import type { Listener } from '../http/listener.ts';
import type { Ask, Exchange } from '../http/exchange.ts';
import { SIGNS } from '../account/signs.ts';
import type { Session } from '../run/session.ts';
import type { Work } from '../run/work.ts';
import type { Secret } from '../secret.ts';
import { Course, numbersOf } from './course.ts';
import { Draft } from './draft.ts';
import { entryOf, type Writing } from './entry.ts';
import { EVIDENCE_FILE, type HarHead } from './har.ts';
import { OwnTexts } from './own-texts.ts';
import { RecordedTarget } from './recorded-target.ts';
import { StandIns } from './stand-ins.ts';
import { maskedAgain, writeHar, type EvidenceFile } from './write-har.ts';

/** The numbers of the exchanges that requirements rest on, by id. */
export type RestsOn = ReadonlyMap<string, ReadonlySet<number>>;

/** A request that is under way. */
interface UnderWay {
  readonly ask: Ask;
  readonly startedAt: number;
}

/** Keeps every exchange of a run, and what its checks were given, on disk. */
export class Recorder implements Listener {
  readonly #session: Session;
  readonly #standIns = new StandIns();
  readonly #own: OwnTexts;
  readonly #writing: Writing;
  readonly #entries: Draft;
  readonly #calls: Draft;
  readonly #course: Course;
  /** The lines of the entries, by the numbers of the exchanges. */
  readonly #lines = new Map<number, number>();
  readonly #underWay = new Map<number, UnderWay>();
  readonly #deferred = new Set<number>();
  readonly #retracted = new Set<number>();
  readonly #startedAt = performance.now();
  /** The first error of the recording itself. */
  #fault: unknown;

  /**
   * @param folder for drafts of the record.
   * @throws Error with a code if it cannot be written to.
   */
  constructor(session: Session, folder: string) {
    const { masker } = session;
    this.#session = session;
    this.#own = new OwnTexts(session.names);
    this.#writing = {
      base: session.settings.base,
      masker,
      standIns: this.#standIns,
      isOwn: (text) => this.#own.isOwn(text),
      timeOf: (moment) => new Date(performance.timeOrigin + moment),
      sinceStart: (moment) => moment - this.#startedAt,
    };
    const draft = (name: string): Draft => new Draft(join(folder, `.${name}-${process.pid}.tmp`));
    this.#entries = draft(EVIDENCE_FILE);
    this.#calls = draft('course');
    this.#course = new Course(
      (line) => this.#guarded(() => this.#calls.add(line)),
      (value) => masker.deep(value, this.#standIns.inText),
    );
  }

  sent(number: number, ask: Ask, startedAt: number): void {
    this.#underWay.set(number, { ask, startedAt });
  }

  ended(exchange: Exchange): void {
    this.#underWay.delete(exchange.number);
    this.#guarded(() => {
      this.#own.learn(exchange);
      const line = JSON.stringify(entryOf(exchange, this.#writing));
      this.#lines.set(exchange.number, this.#entries.length);
      this.#entries.add(line);
    });
  }

  deferred({ number }: Exchange): void {
    this.#deferred.add(number);
  }

  retracted({ number }: Exchange): void {
    this.#retracted.add(number);
  }

  /** The target for a check, which records what the check gets. */
  targetOf(work: Work): RecordedTarget {
    const number = this.#course.work();
    this.#course.checks.set(number, { id: work.name, again: work.options.isBrief });
    const standIn = (token: { reveal(): string }): string => this.#standIns.of(token.reveal());
    return new RecordedTarget(work, number, { course: this.#course, standIn });
  }

  /**
   * Writes the file of evidence.
   *
   * @param watching the ids of the requirements that rest on every exchange.
   * @returns what the report says of it, and the numbers of the exchanges that each requirement rests on, by its id.
   * @throws Error with a code if it cannot be written; any other error is a fault of the suite.
   */
  finish(folder: string, watching: readonly string[]): { file: EvidenceFile; restsOn: RestsOn } {
    try {
      const again = maskedAgain(this.#session.masker, this.#standIns.inText);
      this.#endWhatIsUnderWay();
      if (this.#fault !== undefined) throw this.#fault;
      const restsOn = this.#course.restsOn();
      const resting = new Map<number, string[]>();
      for (const [id, numbers] of restsOn)
        for (const number of numbers) resting.set(number, [...(resting.get(number) ?? []), id]);
      const file = writeHar(folder, {
        head: this.#head(watching),
        startedAt: this.#writing.timeOf(this.#startedAt),
        entries: this.#lines.size,
        entry: (nth) => {
          const number = nth + 1;
          const line = again.entry(this.#entries.line(this.#lines.get(number) ?? -1));
          const marks = {
            ...(this.#deferred.has(number) ? { _deferred: true } : {}),
            ...(this.#retracted.has(number) ? { _retracted: true } : {}),
            _requirements: resting.get(number) ?? [],
          };
          return `${line.slice(0, -1)},${JSON.stringify(marks).slice(1)}`;
        },
        course: this.#calls,
        line: again.course,
      });
      return { file, restsOn };
    } finally {
      this.#entries.discard();
      this.#calls.discard();
    }
  }

  /** Requests that the run did not wait for have a number, too, so each needs an entry. */
  #endWhatIsUnderWay(): void {
    for (const [number, { ask, startedAt }] of this.#underWay) {
      const failure = { kind: 'cancelled', message: 'the run ended before an answer came' } as const;
      this.ended({ number, ask, failure, startedAt, durationMs: performance.now() - startedAt });
    }
  }

  #head(watching: readonly string[]): HarHead {
    const { settings, signs } = this.#session;
    const { base, effort, seed, path, allowsHttp, username, password, panelToken, second } = settings;
    const standIn = (secret: Secret | undefined): string | null =>
      secret === undefined ? null : this.#standIns.inText(secret, secret.reveal());
    const account = (name: string, secret: Secret | undefined): HarHead['_run']['accounts'][number] => ({
      username: this.#session.masker.text(name, this.#standIns.inText),
      password: standIn(secret),
    });
    return {
      _run: {
        target: this.#session.masker.text(base.href.replace(/\/+$/, ''), this.#standIns.inText),
        effort,
        seed: this.#session.masker.text(seed, this.#standIns.inText),
        path: path ?? null,
        allowsHttp,
        accounts: [
          username === undefined ? null : account(username, password),
          second === undefined ? null : account(second.username, second.password),
        ],
        panelToken: standIn(panelToken),
      },
      _everyExchange: [...watching],
      _signs: Object.fromEntries(
        SIGNS.flatMap((sign) => {
          const seen = signs.of(sign).map(({ exchanges }) => numbersOf(exchanges));
          return seen.length === 0 ? [] : [[sign, seen]];
        }),
      ),
      _checks: [...this.#course.checks].map(([number, { id, again }]) => [number, id, again]),
    };
  }

  /** A fault here must not end the run: it is reported at the end. */
  #guarded(work: () => void): void {
    if (this.#fault !== undefined) return;
    try {
      work();
    } catch (error) {
      this.#fault = error;
    }
  }
}
