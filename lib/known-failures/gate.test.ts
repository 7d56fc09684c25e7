import { describe, expect, test } from 'vitest';
import type { Verdict } from '../judging/judge.ts';
import { asGated, gateOf } from './gate.ts';
import type { KnownFailure } from './list.ts';

const NOW = new Date('2030-06-15T23:59:59Z');

const judged = (id: string, verdict: Verdict, reason = 'answered 201, not 200') => ({ id, verdict, reason });

const gate = (verdict: Verdict, ...failures: Partial<KnownFailure>[]) =>
  gateOf(
    [judged('create/answers', verdict), judged('list/answers', 'pass', '')],
    { file: 'known.json', failures: failures.map((one) => ({ id: 'create/answers', ...one })) },
    NOW,
  );

describe('a listed failure', () => {
  test.each<[string, Partial<KnownFailure>]>([
    ['by its id alone', {}],
    ['by a part of its finding', { finding: '201, not 200' }],
    ['on its last day', { until: '2030-06-15' }],
  ])('is known %s', (_what, entry) => {
    const { known, problems } = gate('fail', entry);
    expect([...known.keys()]).toEqual(['create/answers']);
    expect(problems).toEqual([]);
  });

  test('is known by the matching entry, if several have its id', () => {
    const { known, problems } = gate('fail', { finding: 'gave no answer' }, { finding: '201', reason: 'b' });
    expect(known.get('create/answers')?.reason).toBe('b');
    expect(problems).toEqual([]);
  });

  test('is also known if it could not be decided for the listed reason', () => {
    expect(gate('error', {})).toMatchObject({ known: { size: 1 }, problems: [] });
    expect(gate('error', { finding: 'gave no answer' })).toMatchObject({ known: { size: 0 }, problems: [] });
  });

  test('that was not checked is neither known nor a problem', () => {
    expect(gate('skipped', { until: '2030-06-14' })).toMatchObject({ known: { size: 0 }, problems: [] });
  });
});

describe('what is wrong with the list', () => {
  test.each<[string, Verdict, Partial<KnownFailure>, string, string]>([
    [
      'it passes now',
      'pass',
      {},
      'passes now',
      'create/answers does not fail any more (pass); remove it from known.json, so that it cannot fail again unnoticed.',
    ],
    [
      'it only warns now',
      'warn',
      {},
      'passes now',
      'create/answers does not fail any more (warn); remove it from known.json, so that it cannot fail again unnoticed.',
    ],
    [
      'its date has passed',
      'fail',
      { until: '2030-06-14' },
      'past its date',
      'create/answers still fails, but known.json accepts that only until 2030-06-14; repair it, or agree on another date.',
    ],
    [
      'its date has passed, and nothing could be decided',
      'error',
      { until: '2030-06-14' },
      'past its date',
      'create/answers still cannot be decided, but known.json accepts that only until 2030-06-14; repair it, or agree on another date.',
    ],
    [
      'it names nothing',
      'fail',
      { id: 'create/answer' },
      'names nothing',
      'create/answer in known.json names no requirement. Did you mean create/answers?',
    ],
    [
      'it names nothing, nor anything like it',
      'fail',
      { id: 'x' },
      'names nothing',
      'x in known.json names no requirement; the command list prints all ids.',
    ],
    [
      'it fails with another finding',
      'fail',
      { finding: 'gave no answer' },
      'another finding',
      'create/answers fails, but not as known.json expects: "gave no answer" is not part of its finding.',
    ],
  ])('is one sentence: %s', (_what, verdict, entry, kind, sentence) => {
    const { known, problems } = gate(verdict, entry);
    expect(known.size).toBe(0);
    expect(problems).toEqual([{ id: entry.id ?? 'create/answers', kind, sentence }]);
  });
});

test('a known failure counts as a warning for the gate', () => {
  const failed = [judged('create/answers', 'fail'), judged('delete/answers', 'fail')];
  expect(asGated(failed, gate('fail', {})).map(({ verdict }) => verdict)).toEqual(['warn', 'fail']);
});
