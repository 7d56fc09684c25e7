import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { type EndedToken, noteTokensEndedByOthers } from './ended-tokens.ts';
import { Signs } from './signs.ts';

const at = (startedAt: number): Exchange => ({ ...exchangeOf(answerOf(200, {})), startedAt, durationMs: 1 });

/** A token that was issued and last used at these moments, and refused at the third one. */
const ended = (issuedAt: number, usedAt: number, refusedAt: number): EndedToken => ({
  issued: { at: issuedAt, usedAt, scopes: ['api'], loginNumber: 1, isReplaced: false },
  refused: at(refusedAt),
});

const TIMES = [1_000, 2_000, 3_000];
/** Three tokens that were refused just after a moment. */
const THREE = TIMES.map((time) => ended(time - 500, time - 5, time + 5));

test.each<readonly [string, number, readonly EndedToken[], readonly number[], readonly number[]]>([
  ['count if logins of the other account came between', 3, THREE, [], TIMES],
  ['do not count if they are two', 0, THREE.slice(1), [], TIMES],
  ['do not count if one ended without such a login', 0, THREE, [], TIMES.slice(1)],
  ['do not count if a login of their own account came between as well', 0, THREE, [2_000], TIMES],
  [
    'count although one that was not used for a second ended as well',
    3,
    [...THREE, ended(0, 5, 1_006)],
    [],
    TIMES,
  ],
  ['do not count if one was not used for a second', 0, [...THREE.slice(1), ended(0, 4, 1_005)], [], TIMES],
])('Tokens that ended %s.', (_, expected, tokens, own, ofOther) => {
  const signs = new Signs();
  const accounts = [
    { ended: tokens, granted: own.map(at) },
    { ended: [], granted: ofOther.map(at) },
  ];
  noteTokensEndedByOthers(accounts, signs);
  expect(signs.of('token-ended-by-another')).toHaveLength(expected);
});
