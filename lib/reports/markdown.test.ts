import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { block, code, plain } from './markdown.ts';

describe('text in Markdown', () => {
  test.each([
    ['answered 201, not 200 (twice)', 'answered 201, not 200 (twice)'],
    ['<img src=x>', '&lt;img src=x&gt;'],
    ['&lt;', '&amp;lt;'],
    [
      '*a* _b_ ~c~ `d` $e$ [f](g) |h| \\i',
      '\\*a\\* \\_b\\_ \\~c\\~ \\`d\\` \\$e\\$ \\[f\\](g) \\|h\\| \\\\i',
    ],
    ['@user a@b.test #12', '@<!-- -->user a@<!-- -->b.test #<!-- -->12'],
    ['https://evil.test www.evil.test', 'https:<!-- -->/<!-- -->/evil.test ww<!-- -->w.evil.test'],
    ['a\n# b\u202E', 'a\\\\u000a#<!-- --> b\\\\u202e'],
  ])('%j stays text', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  test('has no markup, whatever its characters', () => {
    const unit = fc.constantFrom(...'<>&`*_[]()|~$@#:/\\w. \n!-'.split(''), 'a', '\u2028', '\u001B');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const rest = plain(text)
          .replaceAll('<!-- -->', '·')
          // A dot replaces each escaped character, so that its neighbours stay apart.
          .replace(/\\[\\`*_[\]|~$]/g, '.');
        expect(rest).not.toMatch(/[<>`*_[\]|~$\n\\]|:\/\/|[@#][^·]/);
      }),
    );
  });
});

describe('code in Markdown', () => {
  test.each([
    ['list/answers', '`list/answers`'],
    ['a`b``c', '```a`b``c```'],
    ['`', '`` ` ``'],
    ['a|b\nc', '`a\\u007cb\\u000ac`'],
  ])('%j stands between enough backticks', (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  test('in lines is fenced by more backticks than it holds', () => {
    expect(block(['a', '````', '\u001B'], 'sh')).toEqual(['`````sh', 'a', '````', '\\u001b', '`````']);
  });
});
