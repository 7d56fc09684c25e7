import { describe, expect, test } from 'vitest';
import { broken, holds, observed } from '../outcome.ts';
import { readSide, sideOf, type Side } from '../reports/comparing.ts';
import { reportOf, resultOf } from '../reports/report.test.double.ts';
import { comparisonPage } from './comparison-page.tsx';

const answer = (said: unknown): ReturnType<typeof resultOf> =>
  resultOf('list/order', 'open', observed({ answer: said, exchanges: [] }));

const sides: readonly Side[] = [
  sideOf(
    'one',
    reportOf([
      resultOf('list/a', 'required', holds()),
      resultOf('list/b', 'required', broken('late <b>"')),
      resultOf('list/c', 'required', holds()),
      answer('oldest'),
    ]),
  ),
  sideOf(
    'two <i>',
    reportOf([
      resultOf('list/a', 'required', holds()),
      resultOf('list/b', 'required', holds()),
      resultOf('list/d', 'advisory', broken('x')),
      answer('newest'),
    ]),
  ),
];

/** The rows of a part of the page, each with the text of its cells. */
function rowsOf(html: string, id: string): string[][] {
  const part = html.slice(html.indexOf(`<h2 id="${id}"`)).split('</section>')[0] ?? '';
  return part
    .split('<tr ')
    .slice(1)
    .map((row) =>
      row
        .split(/<t[hd][ >]/)
        .slice(1)
        .map((cell) =>
          cell
            .replace(/^[^<]*?>/, '')
            .replace(/<p class="quiet">.*?<\/p>/, '')
            .replace(/<[^>]*>/g, ' ')
            .replace(/\s+/g, ' ')
            .trim(),
        ),
    );
}

describe('the page of a comparison', () => {
  const html = comparisonPage(sides);

  test('has what differs first: what fails, then the rest, then what is the same', () => {
    expect(rowsOf(html, 'differences')).toEqual([
      ['list/b', 'fail Late &lt;b&gt;&quot;.', 'pass'],
      ['list.order', 'The answer is &quot;oldest&quot;.', 'The answer is &quot;newest&quot;.'],
    ]);
    expect(rowsOf(html, 'same').map(([id, ...cells]) => [id, cells])).toEqual([
      ['list/a', ['pass', 'pass']],
      ['list/c', ['pass', 'not checked']],
      ['list/d', ['not checked', 'warn X.']],
    ]);
    expect(html).toContain('2 of 5 requirements and observations differ.');
  });

  test('shows all text as text', () => {
    expect(html).toContain('two &lt;i&gt;');
    expect(html).not.toMatch(/<[bi]>/);
  });

  test('has a column for a fingerprint, with answers only', () => {
    const fingerprint = readSide('f', '{"answers":{"list":{"order":"oldest"}},"unanswered":{"x":"skipped"}}');
    if (fingerprint === undefined) throw new Error('it is no fingerprint');
    const page = comparisonPage([...sides.slice(0, 1), fingerprint]);
    expect(page).toContain('a fingerprint has no verdicts');
    expect(rowsOf(page, 'differences')).toEqual([]);
    expect(rowsOf(page, 'same')).toContainEqual([
      'list.order',
      'The answer is &quot;oldest&quot;.',
      'oldest',
    ]);
    expect(rowsOf(page, 'same')).toContainEqual(['list/a', 'pass', 'not checked']);
    expect(rowsOf(page, 'same')).toContainEqual(['x', 'not checked', 'no answer (skipped)']);
  });
});
