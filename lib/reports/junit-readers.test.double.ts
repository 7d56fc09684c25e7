import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';

/** What a reader's schema permits of one element, in our own words. */
interface Permitted {
  /** Names with the form of their values. */
  readonly required?: Readonly<Record<string, RegExp>>;
  readonly optional?: Readonly<Record<string, RegExp>>;
  /** The names of child elements, each with a blank behind it. */
  readonly children: RegExp;
  readonly hasText?: boolean;
}

type Schema = Readonly<Record<string, Permitted>>;

const ANY = /^[^]*$/;
/** White space at the ends and in rows is collapsed before a token is checked. */
const TOKEN = /\S/;
const COUNT = /^[+-]?\d{1,9}$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const TEXT = { children: /^$/, hasText: true } as const;

/** The schema of Jenkins' xUnit plugin, junit-10.xsd. */
const SUREFIRE_TIME = /^(?:(?:\d{0,3},)*\d{3}|\d{0,3})*(?:\.\d*)?$/;
const RESULT = { ...TEXT, optional: { type: ANY, message: ANY } };
const OUTPUTS = ['system-out', 'system-err'];
const TOTALS = { tests: ANY, failures: ANY, errors: ANY };

export const JENKINS: Schema = {
  testsuites: {
    optional: { name: ANY, time: SUREFIRE_TIME, ...TOTALS },
    children: /^(?:testsuite )*$/,
  },
  testsuite: {
    required: { name: ANY, ...TOTALS },
    optional: {
      time: SUREFIRE_TIME,
      ...Object.fromEntries(
        ['group', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'].map((name) => [
          name,
          ANY,
        ]),
      ),
    },
    children: /^(?:(?:testsuite|properties|testcase|system-out|system-err) )*$/,
  },
  properties: { children: /^(?:property )*$/ },
  property: { required: { name: ANY, value: ANY }, children: /^$/ },
  testcase: {
    required: { name: ANY },
    optional: { time: ANY, classname: ANY, group: ANY },
    children: /^(?:(?:skipped|error|failure|system-out|system-err) )*$/,
  },
  skipped: RESULT,
  error: RESULT,
  failure: RESULT,
  ...Object.fromEntries(OUTPUTS.map((name) => [name, TEXT])),
};

/** The schema of Apache Ant's JUnit task as Windy Road wrote it down, JUnit.xsd. */
export const ANT: Schema = {
  testsuites: { children: /^(?:testsuite )*$/ },
  testsuite: {
    required: {
      name: TOKEN,
      package: ANY,
      id: COUNT,
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
      hostname: TOKEN,
      tests: COUNT,
      failures: COUNT,
      errors: COUNT,
      time: DECIMAL,
    },
    optional: { skipped: COUNT },
    children: /^properties (?:testcase )*system-out system-err $/,
  },
  properties: { children: /^(?:property )*$/ },
  property: { required: { name: TOKEN, value: ANY }, children: /^$/ },
  testcase: {
    required: { name: ANY, classname: ANY, time: DECIMAL },
    children: /^(?:(?:skipped|error|failure) )?$/,
  },
  skipped: { ...TEXT, optional: { message: ANY } },
  error: { ...TEXT, required: { type: ANY }, optional: { message: ANY } },
  failure: { ...TEXT, required: { type: ANY }, optional: { message: ANY } },
  ...Object.fromEntries(OUTPUTS.map((name) => [name, TEXT])),
};

/** Where a document departs from a schema, in one line each. */
export function departures(xml: string, schema: Schema): string[] {
  const root = create(xml).root();
  const name = root.node.nodeName;
  return name === 'testsuites' ? departuresOf(root, schema) : [`the root is ${name}`];
}

function departuresOf(element: XMLBuilder, schema: Schema): string[] {
  const { nodeName: name, attributes = [] } = element.node as unknown as {
    readonly nodeName: string;
    readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
  };
  const permitted = schema[name];
  if (permitted === undefined) return [`${name} is no element of the schema`];
  const { required = {}, optional = {}, children, hasText = false } = permitted;
  const given = new Map([...attributes].map((one) => [one.name, one.value]));
  const elements: XMLBuilder[] = [];
  let text = '';
  element.each((child) => {
    if (!child.node.nodeName.startsWith('#')) elements.push(child);
    else text += child.node.nodeValue ?? '';
  });
  const names = elements.map(({ node }) => `${node.nodeName} `).join('');
  return [
    ...Object.keys(required).flatMap((key) => (given.has(key) ? [] : [`${name} lacks ${key}`])),
    ...[...given].flatMap(([key, value]) => {
      const form = required[key] ?? optional[key];
      if (form === undefined) return [`${name} has ${key}`];
      return form.test(value) ? [] : [`${key} of ${name} is ${JSON.stringify(value)}`];
    }),
    ...(children.test(names) ? [] : [`${name} holds ${names.slice(0, 200)}`]),
    ...(hasText || text.trim() === '' ? [] : [`${name} holds text`]),
    ...elements.flatMap((child) => departuresOf(child, schema)),
  ];
}
