import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { broken } from '../outcome.ts';
import { junit } from './junit.ts';
import { ANT, departures, JENKINS } from './junit-readers.test.double.ts';
import { EACH, reportOf, resultOf } from './report.test.double.ts';

/** Characters that no XML document may hold (XML 1.0, 2.2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

interface Element {
  readonly [attribute: `@${string}`]: string;
  readonly testsuite?: readonly Element[];
  readonly testcase?: Element | readonly Element[];
  readonly 'system-out'?: unknown;
}

const REFERENCE = '&(?:amp|lt|gt|quot|apos|#\\d+|#x[0-9a-fA-F]+);';
const TOKEN = new RegExp(
  `<(?<end>/?)(?<name>[\\w-]+)(?:\\s+[\\w-]+="(?:[^<&"]|${REFERENCE})*")*\\s*(?<empty>/?)>|(?:[^<&]|${REFERENCE})+`,
  'y',
);

/** Whether every character is allowed and every element is closed; the library's own parser is lenient. */
function isWellFormed(xml: string): boolean {
  const content = xml.replace(/^<\?xml [^?]*\?>\s*/, '');
  const open: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < content.length;) {
    const token = TOKEN.exec(content);
    if (token === null || (token.groups?.['name'] === undefined && token[0].includes(']]>'))) return false;
    const { name, end, empty } = token.groups ?? {};
    if (name === undefined || empty === '/') continue;
    if (end !== '/') open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0 && !FORBIDDEN.test(xml);
}

const read = (xml: string): Element =>
  (convert(xml, { format: 'object' }) as unknown as { testsuites: Element }).testsuites;

const casesOf = ({ testcase = [] }: Element): Element[] => [testcase].flat();

test.each([
  ['<a b="1"><c/>x &amp; y</a>', true],
  ['<a><b></a></b>', false],
  ['<a>', false],
  ['<a>x & y</a>', false],
  ['<a b="<"/>', false],
  ['<a>]]></a>', false],
  ['<a>\u0001</a>', false],
  ['<a>\uD800</a>', false],
])('%j is a well-formed document: %s', (xml, expected) => {
  expect(isWellFormed(xml)).toBe(expected);
});

describe('the JUnit report', () => {
  const root = read(junit(reportOf(EACH)));
  const suites = root.testsuite ?? [];

  test('is a document with a suite for each topic and a case for each requirement', () => {
    expect(suites.map((suite) => suite['@name'])).toEqual(['create', 'list', 'tokens']);
    expect(suites.map((suite) => suite['@id'])).toEqual(['0', '1', '2']);
    expect(casesOf(suites[0] ?? {})[0]).toEqual({
      '@classname': 'suite.create',
      '@name': 'create/passes: It is so (create/passes).',
      '@time': '0.012',
    });
  });

  test('has the duration of each topic, in seconds', () => {
    expect(suites.map((suite) => suite['@time'])).toEqual(['0.036', '0.036', '0.024']);
  });

  test.each<[string, Element | undefined, number[]]>([
    ['create', suites[0], [3, 1, 0, 0]],
    ['list', suites[1], [3, 0, 0, 1]],
    ['tokens', suites[2], [2, 0, 1, 1]],
  ])('counts tests, failures, errors and what was skipped: %s', (_what, element, expected) => {
    const counts = ['@tests', '@failures', '@errors', '@skipped'] as const;
    expect(counts.map((name) => Number(element?.[name]))).toEqual(expected);
  });

  test('has the result of each case', () => {
    const told = suites.flatMap(casesOf).map((one) => Object.keys(one).filter((key) => !key.startsWith('@')));
    expect(told.map((children) => children.join())).toEqual([
      '',
      'failure',
      '',
      '',
      '',
      'skipped',
      'skipped',
      'error',
    ]);
  });

  test('has warnings and observations in the output of a suite', () => {
    expect(suites.map((suite) => suite['system-out'])).toEqual([
      'create/warns: warning: Answered late.',
      'list/doubtful: warning: Answered oddly.\nlist/observed: The answer is {"order":"oldest"}.',
      {},
    ]);
  });

  test('shows a failure with both sides, and a command that repeats it', () => {
    const [, failed] = casesOf(suites[0] ?? {});
    expect(failed).toMatchObject({
      failure: {
        '@message': 'answered 201, not 200',
        '@type': 'derived',
        '#': expect.stringMatching(
          /^Answered 201, not 200\. .*\n\nExpected: 200 [^]*\n&gt; POST https:\/\/target\.test\/api\/v2\/tagging .*\n&lt; 201 application\/json .*\ncurl -i -X POST[^]*\n#!\/bin\/sh\n/,
        ) as string,
      },
    });
  });

  test('is a well-formed document whatever text the target sends', () => {
    const unit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));
    const hostile = fc.constantFrom('\u0000', '\u001B', '\uFFFE', '\uD800', ']]>', '<', '&', '"', "'", '\n');
    fc.assert(
      fc.property(fc.string({ unit: fc.oneof(unit, hostile), maxLength: 30 }), (text) => {
        const exchange = exchangeOf(answerOf(500, text, [['content-type', text]]));
        const xml = junit(reportOf([resultOf('a/b', 'required', broken(`it said ${text}.`, exchange))]));
        expect(isWellFormed(xml)).toBe(true);
        for (const schema of [JENKINS, ANT]) expect(departures(xml, schema)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe.each([
  ['Jenkins', JENKINS],
  ['Ant', ANT],
])('the schema of %s', (_whose, schema) => {
  const xml = junit(reportOf(EACH));

  test('permits the report', () => {
    expect(departures(xml, schema)).toEqual([]);
    expect(departures(junit(reportOf([])), schema)).toEqual([]);
  });

  test.each([
    ['a count of skipped tests for the whole', '<testsuites>', '<testsuites skipped="2">'],
    ['an unknown attribute', '<testcase ', '<testcase retries="2" '],
    ['an unknown element', '<system-err/>', '<note/>'],
    ['a suite without a count', ' failures="1"', ''],
    ['a suite without a name', ' name="create" package', ' package'],
    ['a time in words', / time="0\.036"/, ' time="soon"'],
    ['text between the cases', '<properties>', 'text<properties>'],
  ])('does not permit %s', (_what, from, to) => {
    expect(xml).not.toBe(xml.replace(from, to));
    expect(departures(xml.replace(from, to), schema)).not.toEqual([]);
  });
});

test.each([
  ['attributes of the whole', '<testsuites>', '<testsuites name="x">'],
  ['a time zone', /timestamp="([^"]*)"/, 'timestamp="$1Z"'],
  ['a fraction of a second', /timestamp="([^"]*)"/, 'timestamp="$1.000"'],
  ['a suite without a package', / package="[^"]*"/, ''],
  ['a suite without an id', ' id="0"', ''],
  ['a suite without a host', ' hostname="localhost"', ''],
  ['a suite without properties', /<properties>[^]*?<\/properties>/, ''],
  ['a suite without output', '<system-err/>', ''],
  ['output of a case', /(<testcase [^>]*)\/>/, '$1><system-out/></testcase>'],
  ['a failure without a type', ' type="derived"', ''],
])('the schema of Ant does not permit %s', (_what, from, to) => {
  const xml = junit(reportOf(EACH));
  expect(departures(xml.replace(from, to), ANT)).not.toEqual([]);
});
