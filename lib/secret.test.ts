import { format, inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from './secret.ts';

const secret = new Secret('hush', '$LABEL');

describe('a secret', () => {
  test('is returned on request', () => {
    expect(secret.reveal()).toBe('hush');
  });

  test.each<[string, (value: unknown) => string]>([
    ['joined into a string', (value) => `a ${value as string}`],
    ['added to a string', (value) => 'a ' + (value as string)],
    ['part of a list that is joined', (value) => [value].join()],
    ['serialised', (value) => JSON.stringify({ deep: [value] })],
    ['inspected', (value) => inspect({ deep: [value] }, { depth: null })],
    ['logged', (value) => format('%s %o %O %j', value, value, value, value)],
    ['part of an error', (value) => inspect(new Error('no', { cause: value }))],
  ])('shows its label where it is %s', (_how, shown) => {
    expect(shown(secret)).toContain('$LABEL');
    expect(shown(secret)).not.toContain('hush');
  });

  test('is not among its own properties, and not copied', () => {
    const everything = [
      inspect(secret, { showHidden: true, customInspect: false, depth: null, getters: true }),
      JSON.stringify(Object.getOwnPropertyDescriptors(secret)),
      JSON.stringify({ ...secret }),
      JSON.stringify(structuredClone(secret)),
    ];
    expect(everything.join('\n')).not.toContain('hush');
  });
});
