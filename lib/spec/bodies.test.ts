import { describe, expect, test } from 'vitest';
import { bodies, misfit } from './bodies.ts';

const tag = { name: 'a', tag_id: '1' };
type Name = keyof typeof bodies;

describe('a body of the right form', () => {
  test.each<[Name, unknown]>([
    ['token', { access_token: 'x' }],
    ['tag', { tagging: tag }],
    ['tag', { tagging: { ...tag, name: '', created: 1 }, more: true }],
    ['list', { error: false, tagging: [] }],
    ['list', { error: true, tagging: [tag, { ...tag, more: null }], total: 2 }],
    ['message', { message: '', more: 1 }],
    ['validation', { message: 'no', errors: {} }],
    ['validation', { message: 'no', errors: { name: ['one', 'two'], other: [] }, more: 1 }],
  ])('fits %s: %j', (name, value) => {
    expect(misfit(bodies[name], value)).toBeUndefined();
  });
});

describe('a body of another form', () => {
  test.each<[Name, unknown, string]>([
    ['token', {}, 'access_token is missing'],
    ['token', { access_token: '' }, 'access_token is an empty string'],
    ['token', { access_token: 12 }, 'access_token is a number, not a string'],
    ['token', [], 'the body is an array, not an object'],
    ['token', null, 'the body is null, not an object'],
    ['token', 'x', 'the body is a string, not an object'],
    ['tag', { data: tag }, 'tagging is missing'],
    ['tag', { tagging: [tag] }, 'tagging is an array, not an object'],
    ['tag', { tagging: { tag_id: '1' } }, 'tagging.name is missing'],
    ['tag', { tagging: { ...tag, name: null } }, 'tagging.name is null, not a string'],
    ['tag', { tagging: { ...tag, tag_id: 7 } }, 'tagging.tag_id is a number, not a string'],
    ['tag', { tagging: { ...tag, tag_id: '' } }, 'tagging.tag_id is an empty string'],
    ['list', { tagging: [] }, 'error is missing'],
    ['list', { error: 'false', tagging: [] }, 'error is a string, not a boolean'],
    ['list', { error: false }, 'tagging is missing'],
    ['list', { error: false, tagging: {} }, 'tagging is an object, not an array'],
    ['list', { error: false, tagging: null }, 'tagging is null, not an array'],
    ['list', { error: false, tagging: [tag, 'b'] }, 'tagging[1] is a string, not an object'],
    ['list', { error: false, tagging: [tag, { name: 'b' }] }, 'tagging[1].tag_id is missing'],
    ['message', { message: false }, 'message is a boolean, not a string'],
    ['message', [tag], 'the body is an array, not an object'],
    ['validation', { errors: {} }, 'message is missing'],
    ['validation', { message: 'no' }, 'errors is missing'],
    ['validation', { message: 'no', errors: ['no'] }, 'errors is an array, not an object'],
    ['validation', { message: 'no', errors: { name: 'no' } }, 'errors.name is a string, not an array'],
    ['validation', { message: 'no', errors: { name: [1] } }, 'errors.name[0] is a number, not a string'],
  ])('does not fit %s: %j', (name, value, why) => {
    expect(misfit(bodies[name], value)).toBe(why);
  });

  test('is told of in one harmless line, whatever its members are called', () => {
    const why = misfit(bodies.validation, { message: 'no', errors: { '\u001B[2J\n\u202E': 'no' } });
    expect(why).toMatch(/^errors.* is a string, not an array$/);
    expect(why).not.toMatch(/\p{C}/u);
  });
});
