import { z } from 'zod';
import { inWords } from '../judging/claim.ts';
import { VERDICTS, type Verdict } from '../judging/judge.ts';
import { jsonIn } from '../given-file.ts';
import { fingerprintSchema } from './fingerprint.ts';

/** The result of a run, as a file holds it. A fingerprint has no verdicts. */
export interface Side {
  readonly name: string;
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Answers in words, by their path, such as `filter.match` or `scopes.user`. */
  readonly answers: ReadonlyMap<string, string>;
  /** Further data of a report, which a fingerprint does not have. */
  readonly run?: z.infer<typeof compared>;
}

/** One difference between two runs. */
export interface Difference {
  readonly what: string;
  readonly was: string;
  readonly now: string;
  /** Whether it is a verdict, and the later one is worse. */
  readonly isWorse: boolean;
}

/** The parts of a report that are compared, or shown beside. Reports of earlier versions lack some. */
const compared = z.object({
  verdict: z.string(),
  partial: z.boolean().optional(),
  target: z.string().optional(),
  startedAt: z.string().optional(),
  suite: z.object({ name: z.string(), version: z.string() }).optional(),
  requirements: z.array(
    z.object({
      id: z.string(),
      verdict: z.enum(VERDICTS),
      text: z.string().optional(),
      reason: z.string().optional(),
      key: z.string().optional(),
      said: z.string().optional(),
    }),
  ),
  fingerprint: fingerprintSchema,
});

/**
 * Reads a report or a fingerprint.
 *
 * @returns undefined if the text is neither.
 */
export function readSide(name: string, text: string): Side | undefined {
  const value = jsonIn(text);
  const report = compared.safeParse(value);
  if (report.success) return sideOf(name, report.data);
  const fingerprint = fingerprintSchema.strict().safeParse(value);
  return fingerprint.success
    ? { name, verdicts: new Map(), answers: answersIn(fingerprint.data) }
    : undefined;
}

/** A report as one side of a comparison. */
export function sideOf(name: string, run: z.infer<typeof compared>): Side {
  const verdicts = new Map(run.requirements.map(({ id, verdict }) => [id, verdict]));
  return { name, verdicts, answers: answersIn(run.fingerprint), run };
}

function answersIn({ answers, unanswered }: z.infer<typeof fingerprintSchema>): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) found.set(path, inWords(value));
    else
      for (const [name, member] of Object.entries(value))
        walk(path === '' ? name : `${path}.${name}`, member);
  };
  walk('', answers);
  for (const [key, verdict] of Object.entries(unanswered)) found.set(key, `no answer (${verdict})`);
  return found;
}

/** Orders verdicts from good to bad. A requirement that is no longer checked is worse than one that holds. */
const RANK: Readonly<Record<Verdict, number>> = {
  pass: 0,
  observed: 0,
  inapplicable: 0,
  skipped: 1,
  warn: 2,
  error: 3,
  fail: 4,
};

/**
 * Whether all verdicts are on an answer to an open question: `pass` if it was declared, else `observed`. Then the target
 * does not differ.
 */
const isAnswer = (...verdicts: readonly Verdict[]): boolean =>
  verdicts.every((verdict) => verdict === 'pass' || verdict === 'observed');

/** Lists the differences between two runs: first verdicts that got worse, then other verdicts, then answers. */
export function compare(before: Side, after: Side): Difference[] {
  const verdicts = [...after.verdicts].flatMap(([id, now]): Difference[] => {
    const was = before.verdicts.get(id);
    return was === undefined || was === now || isAnswer(was, now)
      ? []
      : [{ what: id, was, now, isWorse: RANK[now] > RANK[was] }];
  });
  const keys = new Set([...before.answers.keys(), ...after.answers.keys()]);
  const answers = [...keys].flatMap((key): Difference[] => {
    const [was, now] = [before.answers.get(key) ?? 'absent', after.answers.get(key) ?? 'absent'];
    return was === now ? [] : [{ what: key, was, now, isWorse: false }];
  });
  const worse = verdicts.filter(({ isWorse }) => isWorse);
  return [...worse, ...verdicts.filter(({ isWorse }) => !isWorse), ...answers];
}
