import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { broken, holdsWithWarning, holds, undecided, type Outcome } from '../outcome.ts';
import { LEVELS, type Level } from '../requirement.ts';
import {
  EXIT,
  exitCode,
  judge,
  SKIP_REASONS,
  standing,
  VERDICTS,
  withoutReports,
  type Standing,
  type Verdict,
} from './judge.ts';

const observed: Outcome = { kind: 'observed', answer: 1, exchanges: [] };

describe('the verdict', () => {
  test.each<[string, Outcome, readonly [Level, Verdict][]]>([
    [
      'that holds',
      holds(),
      [
        ['required', 'pass'],
        ['derived', 'pass'],
        ['advisory', 'pass'],
        ['open', 'pass'],
      ],
    ],
    ['that holds with a warning', holdsWithWarning('late'), LEVELS.map((level) => [level, 'warn'])],
    [
      'that does not hold',
      broken('wrong'),
      [
        ['required', 'fail'],
        ['derived', 'fail'],
        ['advisory', 'warn'],
      ],
    ],
    ['that was observed', observed, [['open', 'observed']]],
    [
      'that the target chose to leave nothing of',
      undecided('choice', ''),
      LEVELS.map((level) => [level, 'inapplicable']),
    ],
    ['that the tester left out', undecided('tester', ''), LEVELS.map((level) => [level, 'skipped'])],
    ['for which no budget was left', undecided('budget', ''), LEVELS.map((level) => [level, 'skipped'])],
    ['that could not be decided', undecided('failure', ''), LEVELS.map((level) => [level, 'error'])],
  ])('on something %s follows from its level', (_what, outcome, expected) => {
    expect(expected.map(([level]) => [level, judge(level, outcome)])).toEqual(expected);
  });

  test.each<[string, Outcome, Verdict]>([
    ['as it was seen passes', observed, 'pass'],
    ['otherwise than it was seen fails', { kind: 'observed', answer: 2, exchanges: [] }, 'fail'],
    ['that could not be seen is undecided', undecided('failure', ''), 'error'],
    ['of what there is nothing to see is undecided', undecided('choice', ''), 'error'],
    ['that the tester left out is skipped', undecided('tester', ''), 'skipped'],
    ['for which no budget was left is skipped', undecided('budget', ''), 'skipped'],
  ])('on an answer that was declared %s', (_what, outcome, verdict) => {
    expect(judge('open', outcome, { declared: 1 })).toBe(verdict);
  });

  test('cannot be given if an open question was decided, which is a fault of the suite', () => {
    expect(() => judge('open', broken('wrong'))).toThrow('an open question has no wrong answer');
  });

  test.each(['required', 'derived', 'advisory'] as const)(
    'is none where something %s was only observed, which is a fault of the suite',
    (level) => {
      expect(() => judge(level, observed)).toThrow('has to return a decision');
    },
  );
});

type Judged = Parameters<typeof standing>[0][number];
const judged = (...pairs: [Level, Verdict][]): Judged[] =>
  pairs.map(([level, verdict], at) => ({ id: `a/${at}`, level, verdict }));

const WHOLE = { isWhole: true, residue: 0 };

describe('a run', () => {
  test.each<[string, Judged[], Standing['verdict']]>([
    ['conforming where all holds', judged(['required', 'pass'], ['open', 'observed']), 'conforming'],
    [
      'conforming in spite of warnings',
      judged(['required', 'pass'], ['derived', 'warn'], ['advisory', 'warn']),
      'conforming',
    ],
    [
      'conforming in spite of what is inapplicable',
      judged(['required', 'pass'], ['derived', 'inapplicable']),
      'conforming',
    ],
    [
      'conforming where just something without weight is undecided',
      judged(['required', 'pass'], ['advisory', 'error'], ['open', 'error']),
      'conforming',
    ],
    [
      'inconclusive where an answer that was declared could not be seen',
      [...judged(['required', 'pass']), { id: 'b/1', level: 'open', verdict: 'error', declared: 1 }],
      'inconclusive',
    ],
    [
      'non-conforming where something failed, whatever else is undecided',
      judged(['required', 'fail'], ['derived', 'error'], ['required', 'skipped']),
      'non-conforming',
    ],
    [
      'inconclusive where something that weighs is undecided',
      judged(['required', 'pass'], ['derived', 'error']),
      'inconclusive',
    ],
    ['inconclusive where there was nothing to ask', [], 'inconclusive'],
    [
      'inconclusive where nothing was tested',
      judged(['required', 'skipped'], ['derived', 'inapplicable'], ['open', 'error']),
      'inconclusive',
    ],
  ])('is %s', (_what, verdicts, expected) => {
    expect(standing(verdicts, WHOLE).verdict).toBe(expected);
  });

  test.each<[Verdict, Standing['verdict']]>([
    ['pass', 'inconclusive'],
    ['fail', 'non-conforming'],
  ])('that was cut short with a %s is %s', (verdict, expected) => {
    expect(standing(judged(['required', verdict]), { ...WHOLE, isWhole: false }).verdict).toBe(expected);
  });

  test.each<[Verdict, Standing['verdict']]>([
    ['pass', 'inconclusive'],
    ['fail', 'non-conforming'],
  ])('that leaves a tag behind with a %s is %s', (verdict, expected) => {
    expect(standing(judged(['required', verdict]), { ...WHOLE, residue: 1 }).verdict).toBe(expected);
  });

  test('is partial if required or derived requirements were skipped, and counts them', () => {
    const left = judged(['required', 'skipped'], ['derived', 'skipped'], ['advisory', 'skipped']);
    expect(standing([...left, ...judged(['required', 'pass'])], WHOLE)).toEqual({
      verdict: 'conforming',
      partial: true,
      untested: 2,
      overBudget: [],
    });
  });

  test.each<[Verdict, boolean]>([
    ['pass', true],
    ['warn', true],
    ['observed', true],
    ['inapplicable', false],
    ['skipped', false],
    ['error', false],
  ])(
    'that has nothing but something optional with the verdict %s has tested something: %s',
    (verdict, tested) => {
      const expected = tested ? 'conforming' : 'inconclusive';
      expect(standing(judged(['open', verdict]), WHOLE).verdict).toBe(expected);
    },
  );

  test.each<[number, Standing['verdict']]>([
    [1, 'conforming'],
    [3, 'conforming'],
    [4, 'inconclusive'],
  ])(
    'names the %i required or derived requirements for which no budget was left, and is %s',
    (count, verdict) => {
      const skipped = judged(
        ...Array.from({ length: count }, (_, at): [Level, Verdict] => [
          at === 0 ? 'derived' : 'required',
          'skipped',
        ]),
      ).map((one) => ({ ...one, skippedFor: 'budget' as const }));
      const others: Judged[] = [
        { id: 'b/pass', level: 'required', verdict: 'pass' },
        { id: 'b/tester', level: 'required', verdict: 'skipped', skippedFor: 'tester' },
        { id: 'b/advisory', level: 'advisory', verdict: 'skipped', skippedFor: 'budget' },
        { id: 'b/open', level: 'open', verdict: 'skipped', skippedFor: 'budget' },
      ];
      expect(standing([...skipped, ...others], WHOLE)).toEqual({
        verdict,
        partial: true,
        untested: count + 1,
        overBudget: skipped.map(({ id }) => id),
      });
    },
  );

  test('is partial if a single one was skipped', () => {
    expect(standing(judged(['required', 'skipped']), WHOLE)).toMatchObject({ partial: true, untested: 1 });
  });

  test('is not partial because of inapplicable requirements', () => {
    expect(standing(judged(['required', 'pass'], ['required', 'inapplicable']), WHOLE)).toMatchObject({
      partial: false,
      untested: 0,
    });
  });
});

const anyRun = fc.record({
  verdicts: fc.array(
    fc.record({
      id: fc.constantFrom('a/1', 'a/2'),
      level: fc.constantFrom(...LEVELS),
      verdict: fc.constantFrom(...VERDICTS),
      skippedFor: fc.constantFrom(...SKIP_REASONS),
    }),
    { maxLength: 5 },
  ),
  ended: fc.constantFrom('whole', 'cut short', 'interrupted'),
  residue: fc.nat(2),
  faulty: fc.boolean(),
  requireWhole: fc.boolean(),
});

describe('the exit code', () => {
  const conforming: Standing = { verdict: 'conforming', partial: false, untested: 0, overBudget: [] };
  const partial: Standing = { verdict: 'conforming', partial: true, untested: 1, overBudget: [] };
  const whole = { ended: 'whole', faulty: false, requireWhole: false } as const;

  test('has a number for each case', () => {
    expect(EXIT).toEqual({
      conforming: 0,
      nonConforming: 1,
      usage: 2,
      inconclusive: 3,
      fault: 70,
      interrupted: 130,
    });
  });

  test.each([
    [0, 'of a conforming run', { standing: conforming }],
    [0, 'of a partial one', { standing: partial }],
    [0, 'of a whole one that has to be whole', { standing: conforming, requireWhole: true }],
    [3, 'of a partial one that has to be whole', { standing: partial, requireWhole: true }],
  ])('is %i %s', (code, _what, run) => {
    expect(exitCode({ ...whole, ...run })).toBe(code);
  });

  test.each([
    [0, 2],
    [1, 1],
    [3, 3],
    [70, 70],
    [130, 130],
  ])('%i is %i where the reports cannot be written', (code, expected) => {
    expect(withoutReports(code)).toBe(expected);
  });

  test('is that of the first that applies: fault, interruption, failure, inconclusive, conforming', () => {
    fc.assert(
      fc.property(anyRun, ({ verdicts, ended, residue, faulty, requireWhole }) => {
        const stands = standing(verdicts, { isWhole: ended === 'whole', residue });
        const run = { standing: stands, ended, faulty, requireWhole };
        const failed = verdicts.some(({ verdict }) => verdict === 'fail');
        const conforms = run.standing.verdict === 'conforming' && !(requireWhole && run.standing.partial);
        const causes: [boolean, number][] = [
          [faulty, 70],
          [ended === 'interrupted', 130],
          [failed, 1],
          [!conforms, 3],
        ];
        expect(exitCode(run)).toBe(causes.find(([applies]) => applies)?.[1] ?? 0);
      }),
    );
  });

  test('is 0 only if the run reached its end, left nothing, tested something, and decided all that counts without a failure', () => {
    fc.assert(
      fc.property(anyRun, ({ verdicts, ended, residue, faulty, requireWhole }) => {
        const stands = standing(verdicts, { isWhole: ended === 'whole', residue });
        const run = { standing: stands, ended, faulty, requireWhole };
        if (exitCode(run) !== 0) return;
        const seen = verdicts.map(({ verdict }) => verdict);
        expect({ ended, residue, faulty }).toEqual({ ended: 'whole', residue: 0, faulty: false });
        expect(seen.some((verdict) => ['pass', 'warn', 'observed'].includes(verdict))).toBe(true);
        expect(seen).not.toContain('fail');
        const open = verdicts.filter(({ level }) => level === 'required' || level === 'derived');
        expect(open.map(({ verdict }) => verdict)).not.toContain('error');
        if (requireWhole) expect(open.map(({ verdict }) => verdict)).not.toContain('skipped');
      }),
    );
  });
});
