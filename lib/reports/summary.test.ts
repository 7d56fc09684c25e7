import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { broken, holds, observed } from '../outcome.ts';
import { sideOf } from './comparing.ts';
import { EACH, knownReport, reportOf, resultOf } from './report.test.double.ts';
import { summary } from './summary.ts';

/** The most characters of a comment on GitHub. */
const MOST = 65_536;

const FILE = 'main/report.json';

describe('the summary', () => {
  const text = summary(reportOf(EACH), FILE);

  test('begins with the verdict and its certainty', () => {
    expect(text.split('\n').slice(0, 4)).toEqual([
      '## ❌ https:<!-- -->/<!-- -->/target.test does not conform (partial)',
      '',
      'Of 6 requirements that count (required, derived or declared), 2 hold, 1 fails, 1 does not apply to this target, 1 could not be decided, 1 was not tested.',
      'The failures come from one cause: create/fails.',
    ]);
    expect(summary(reportOf(EACH.slice(0, 1)), FILE)).toMatch(/^## ✅ .* conforms\n/);
    expect(summary(reportOf([]), FILE)).toMatch(/^## ⚠️ Inconclusive: /);
  });

  test('shows each cause with both sides, the exchange and the command that repeats it', () => {
    expect(text).toContain(
      [
        '1. **`create/fails`** (4.2 create, derived): Answered 201, not 200. Because of it 1 more could not be decided.',
        '',
        '   ```',
        '   > POST https://target.test/api/v2/tagging  {"name":"a"}',
        '   < 201 application/json  {"message":"made"}',
        '   ```',
        '',
        '   Expected: `200 {"tagging":{"name":"a","tag_id":"<string>"}}`',
        '',
        '   ```sh',
        '   npx account-mutation-conformance repeat main/report.json create/fails',
        '   ```',
      ].join('\n'),
    );
  });

  test('says what was not tested, and warns', () => {
    expect(text).toContain(
      '### Not tested or not decided\n\n- `tokens/skipped`: There is no second account.\n',
    );
    expect(text).toContain(
      '### Warnings\n\n- `create/warns`: Answered late.\n- `list/doubtful`: Answered oddly.\n',
    );
    expect(text).not.toContain('Changed since');
  });

  test('says what changed since an earlier run, new failures first', () => {
    const before = reportOf([
      resultOf('list/a', 'required', holds()),
      resultOf('list/b', 'required', holds()),
      resultOf('list/c', 'required', broken('wrong')),
      resultOf('list/order', 'open', observed({ answer: 'oldest', exchanges: [] })),
    ]);
    const after = reportOf([
      resultOf('list/a', 'advisory', broken('late')),
      resultOf('list/b', 'required', broken('wrong')),
      resultOf('list/c', 'required', holds()),
      resultOf('list/order', 'open', observed({ answer: 'newest', exchanges: [] })),
    ]);
    expect(summary(after, FILE, sideOf('main/report.json', before))).toContain(
      [
        '### Changed since main/report.json',
        '',
        '2 verdicts got worse, 1 changed otherwise, and 1 answer to open questions changed.',
        '',
        '- **worse**: now fail, was pass: `list/b`',
        '- **worse**: now warn, was pass: `list/a`',
        '- now pass, was fail: `list/c`',
        '- `list.order`: newest, was oldest',
        '',
      ].join('\n'),
    );
    expect(summary(before, FILE, sideOf('x', before))).toContain(
      '### Changed since x\n\nNo verdict and no answer changed.\n',
    );
  });

  test('separates known failures from causes', () => {
    const known = summary(knownReport({ reason: 'the old gateway' }), FILE);
    const linked = summary(knownReport({ link: 'https://tickets.test/1>|`?a=b&c' }), FILE);
    expect(known).not.toContain('### Causes');
    expect(known).toContain('### Known failures\n\n- `create/fails`: Known failure: the old gateway.\n');
    expect(linked).toContain('- `create/fails`: Known failure. <https://tickets.test/1%3E%7C%60?a=b&c>\n');
    expect(known).toContain('### Mistakes in the list of known failures\n\n- list/old passes now.\n');
  });

  test('shows text of the target as text, and fits into a comment', () => {
    const hostile = '</details><script>alert(1)</script> [x](javascript:alert(1)) @user #1 ```` | \n## no';
    const exchange = exchangeOf(answerOf(500, hostile.repeat(200)));
    const results = Array.from({ length: 200 }, (_, at) =>
      resultOf(`topic${at}/x`, 'required', broken(`it said ${hostile}`, { ...exchange, number: at + 1 })),
    );
    const all = summary(reportOf(results), FILE);
    expect(all.length).toBeLessThan(MOST);
    // Everything between backticks is code.
    const outside = all
      .replace(/^ *(`{3,})\w*\n[^]*?\n *\1$/gm, '')
      .replace(/(?<![\\`])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
    expect(outside).toContain('&lt;script&gt;');
    expect(outside).not.toMatch(/<(?!!-- -->)|@\w|^## no/m);
  });
});
