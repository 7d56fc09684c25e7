import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Answer, Ask, Exchange, Failure } from '../http/exchange.ts';
import { Secret } from '../secret.ts';
import { Losses } from './losses.ts';

type Request = Pick<Ask, 'operation' | 'method' | 'path'> & Partial<Pick<Ask, 'body' | 'headers'>>;

const creating = (body: string): Request => ({
  operation: 'create',
  method: 'POST',
  path: '/api/v2/tagging',
  body,
});
const deleting = (tagId: string): Request => ({
  operation: 'delete',
  method: 'DELETE',
  path: `/api/v2/tagging/${tagId}`,
});
const loggingIn = (username: string): Request => ({
  operation: 'login',
  method: 'POST',
  path: '/api/v2/auth/login',
  body: new Secret('hush', JSON.stringify({ username, password: '$PASSWORD', scopes: ['api'] })),
});

/** A run that sends each request the given number of times. */
class Course {
  readonly losses = new Losses({ isLiving: (id) => id === 'alive', usernames: ['someone'] });
  #number = 0;
  /** @returns the last exchange. */
  of(count: number, came: Answer | Failure, request: Request): Exchange {
    const all = Array.from({ length: count }, () => exchangeOf(came, request, ++this.#number));
    for (const exchange of all) this.losses.ended(exchange);
    return all.at(-1) as Exchange;
  }
}

const CLOSED = failure('closed');
const NAMELESS = creating('{}');
const NAMED = creating('{"name":"a"}');

describe('a closed connection', () => {
  test.each<[string, boolean, (course: Course) => unknown]>([
    ['is steady', true, () => undefined],
    [
      'is steady though others were closed by chance',
      true,
      (course) => [course.of(200, answerOf(200), NAMED), course.of(2, CLOSED, NAMED)],
    ],
    ['is not if one was answered', false, (course) => course.of(1, answerOf(422), NAMELESS)],
    [
      'is not if many others were closed as well',
      false,
      (course) => [course.of(200, answerOf(200), NAMED), course.of(3, CLOSED, NAMED)],
    ],
  ])('at each request of a kind %s', (_what, expected, meanwhile) => {
    const course = new Course();
    const [few, many] = [course.of(3, CLOSED, NAMELESS), course.of(1, CLOSED, NAMELESS)];
    meanwhile(course);
    expect(course.losses.isSteady(many)).toBe(expected);
    expect(new Course().losses.isSteady(few)).toBe(false);
  });

  test.each<[string, Request, Request]>([
    ['a tag that is there', deleting('gone'), deleting('alive')],
    ['another form of a tag_id', deleting("a'"), deleting('gone')],
    ['another character that is percent-encoded', deleting('%00'), deleting('%2F')],
    ['another spelling of the path', NAMED, { ...NAMED, path: '/API/v2/tagging' }],
    ['the username of an account', loggingIn('nobody'), loggingIn('someone')],
    ['another type of name', creating('{"name":null}'), creating('{"name":5}')],
    [
      'a token',
      NAMED,
      { ...NAMED, headers: [['Authorization', new Secret('Bearer hush', 'Bearer $TOKEN')]] },
    ],
  ])('says the same whether requests with %s are answered', (_what, lost, answered) => {
    const course = new Course();
    const last = course.of(4, CLOSED, lost);
    course.of(9, answerOf(200), answered);
    expect(course.losses.isSteady(last)).toBe(true);
  });

  test.each<[string, Failure['kind'], number]>([
    ['after eight closed connections', 'closed', 8],
    ['after two time-outs', 'timeout', 2],
  ])('or a time-out is worth another attempt no longer %s', (_what, kind, most) => {
    const course = new Course();
    const named = (name: string): Request => creating(JSON.stringify({ name }));
    course.of(most - 1, failure(kind), named('ctqrzmbvhgkx'));
    expect(course.losses.isHopeless(course.of(1, failure(kind), named('ctwlpmbvhgkxz')))).toBe(false);
    const last = course.of(1, failure(kind), named('ctmmpmbvhgkx'));
    expect(course.losses.isHopeless(last)).toBe(true);
    course.of(1, answerOf(200), named('ctnnpmbvhgkx'));
    expect(course.losses.isHopeless(last)).toBe(false);
  });
});
