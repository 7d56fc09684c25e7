import { describe, expect, test } from 'vitest';
import { listBody, messageBody, misfit, tagBody, tokenBody, validationBody } from './shapes.ts';

const tag = { name: 'a', tag_id: '1' };
const shapes = { tokenBody, tagBody, listBody, messageBody, validationBody };
type Name = keyof typeof shapes;

describe('a body of the right form', () => {
  test.each<[Name, unknown]>([
    ['tokenBody', { access_token: 'x' }],
    ['tagBody', { tagging: tag }],
    ['tagBody', { tagging: { ...tag, name: '', created: 1 }, more: true }],
    ['listBody', { error: false, tagging: [] }],
    ['listBody', { error: true, tagging: [tag, { ...tag, more: null }], total: 2 }],
    ['messageBody', { message: '', more: 1 }],
    ['validationBody', { message: 'no', errors: {} }],
    ['validationBody', { message: 'no', errors: { name: ['one', 'two'], other: [] }, more: 1 }],
  ])('fits %s: %j', (name, value) => {
    expect(misfit(shapes[name], value)).toBeUndefined();
  });
});

describe('a body of another form', () => {
  test.each<[Name, unknown, string]>([
    ['tokenBody', {}, 'access_token is missing'],
    ['tokenBody', { access_token: '' }, 'access_token is an empty string'],
    ['tokenBody', { access_token: 12 }, 'access_token is a number, not a string'],
    ['tokenBody', [], 'the body is an array, not an object'],
    ['tokenBody', null, 'the body is null, not an object'],
    ['tokenBody', 'x', 'the body is a string, not an object'],
    ['tagBody', { data: tag }, 'tagging is missing'],
    ['tagBody', { tagging: [tag] }, 'tagging is an array, not an object'],
    ['tagBody', { tagging: { tag_id: '1' } }, 'tagging.name is missing'],
    ['tagBody', { tagging: { ...tag, name: null } }, 'tagging.name is null, not a string'],
    ['tagBody', { tagging: { ...tag, tag_id: 7 } }, 'tagging.tag_id is a number, not a string'],
    ['tagBody', { tagging: { ...tag, tag_id: '' } }, 'tagging.tag_id is an empty string'],
    ['listBody', { tagging: [] }, 'error is missing'],
    ['listBody', { error: 'false', tagging: [] }, 'error is a string, not a boolean'],
    ['listBody', { error: false }, 'tagging is missing'],
    ['listBody', { error: false, tagging: {} }, 'tagging is an object, not an array'],
    ['listBody', { error: false, tagging: null }, 'tagging is null, not an array'],
    ['listBody', { error: false, tagging: [tag, 'b'] }, 'tagging[1] is a string, not an object'],
    ['listBody', { error: false, tagging: [tag, { name: 'b' }] }, 'tagging[1].tag_id is missing'],
    ['messageBody', { message: false }, 'message is a boolean, not a string'],
    ['messageBody', [tag], 'the body is an array, not an object'],
    ['validationBody', { errors: {} }, 'message is missing'],
    ['validationBody', { message: 'no' }, 'errors is missing'],
    ['validationBody', { message: 'no', errors: ['no'] }, 'errors is an array, not an object'],
    ['validationBody', { message: 'no', errors: { name: 'no' } }, 'errors.name is a string, not an array'],
    ['validationBody', { message: 'no', errors: { name: [1] } }, 'errors.name[0] is a number, not a string'],
  ])('does not fit %s: %j', (name, value, why) => {
    expect(misfit(shapes[name], value)).toBe(why);
  });

  test('is told of in one harmless line, whatever its members are called', () => {
    const why = misfit(validationBody, { message: 'no', errors: { '\u001B[2J\n\u202E': 'no' } });
    expect(why).toMatch(/^errors.* is a string, not an array$/);
    expect(why).not.toMatch(/\p{C}/u);
  });
});
