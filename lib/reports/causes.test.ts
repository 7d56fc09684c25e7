import { describe, expect, test } from 'vitest';
import { exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { undecided } from '../outcome.ts';
import { answered, causes, fails } from './causes.test.double.ts';
import { reportOf, resultOf } from './report.test.double.ts';

const waits = (id: string, why: string, ...exchanges: Exchange[]): ReturnType<typeof resultOf> =>
  resultOf(id, 'required', undecided('failure', why, ...exchanges));

describe('the causes of failures', () => {
  test('are one if the same operation fails in the same way', () => {
    expect(
      causes(
        fails('delete/unknown-404', 'answered 410, not 404', answered('delete', 410)),
        fails('delete/again-404', 'answered 410, not 404', answered('delete', 410)),
      ),
    ).toEqual([{ id: 'delete/unknown-404', explains: ['delete/again-404'], waiting: [] }]);
  });

  test('are two if two operations fail, or one fails in two ways', () => {
    const ids = (...results: ReturnType<typeof fails>[]): string[] => causes(...results).map(({ id }) => id);
    expect(
      ids(
        fails('update/answers', 'answered 201, not 200', answered('rename', 201)),
        fails('delete/answers', 'answered 201, not 200', answered('delete', 201)),
      ),
    ).toEqual(['update/answers', 'delete/answers']);
    expect(
      ids(
        fails('update/name-null', 'answered 200, not 422', answered('rename', 200)),
        fails(
          'update/others-stay',
          'the update answered 200, and another tag is gone',
          answered('list', 200),
        ),
      ),
    ).toEqual(['update/name-null', 'update/others-stay']);
  });

  test('explain findings that many faults can cause, if the operation is the same', () => {
    expect(
      causes(
        fails('list/filter-excludes', 'the filter by "a" finds the tag named "b"', answered('list', 200)),
        fails('delete/answers', 'answered 404, not 200', answered('delete', 404)),
        fails('delete/every-tag', 'the delete answered 404 at the end of the run', answered('delete', 404)),
      ),
    ).toEqual([
      { id: 'list/filter-excludes', explains: [], waiting: [] },
      { id: 'delete/answers', explains: ['delete/every-tag'], waiting: [] },
    ]);
  });

  test('are one if a create changes the name, in its answer and in the list', () => {
    expect(
      causes(
        fails('create/echoes-name', 'the answer holds the name "a", not "ab"', answered('create', 200)),
        fails('create/persists', 'the tag is listed with the name "c", not "cd"', answered('list', 200)),
      ),
    ).toEqual([{ id: 'create/echoes-name', explains: ['create/persists'], waiting: [] }]);
  });

  test('are one if an operation needs no token, so that it accepts wrong ones', () => {
    const forged = 'the list answered 200 to a JWT without a signature, and holds tags';
    expect(
      causes(
        fails('token/missing-on-create', 'answered 200 with a tag', answered('create', 200)),
        fails('token/missing-on-list', 'answered 200 without a token', answered('list', 200)),
        fails('token/header-forged', forged, answered('list', 200)),
      ),
    ).toEqual([
      { id: 'token/missing-on-create', explains: [], waiting: [] },
      { id: 'token/missing-on-list', explains: ['token/header-forged'], waiting: [] },
    ]);
  });

  test('are one if deletes are refused, so that tags stay, and two if confirmed deletes have no effect', () => {
    const stays = (status: number): ReturnType<typeof fails>[] => [
      fails('delete/answers', `answered ${status}, not 200`, answered('delete', status)),
      fails(
        'delete/takes-effect',
        `a delete answered ${status}, yet a list that was requested later shows the tag`,
        answered('delete', status),
      ),
    ];
    expect(causes(...stays(404))).toHaveLength(1);
    expect(causes(...stays(204))).toHaveLength(2);
  });

  test('are one if lists show deleted tags, which no delete finds', () => {
    expect(
      causes(
        fails(
          'delete/every-tag',
          'the delete answered 404 at the end of the run, though the tag exists',
          answered('delete', 404),
        ),
        fails(
          'delete/takes-effect',
          'a delete was acknowledged, yet a list that was requested later shows the tag',
          answered('delete', 200),
          answered('list', 200),
        ),
      ),
    ).toEqual([{ id: 'delete/takes-effect', explains: ['delete/every-tag'], waiting: [] }]);
  });

  test('are one if tags of one name are no two tags, which creates at the same time show as well', () => {
    const lost =
      'a create with the name "a" was acknowledged, and at the end of the run no list shows the tag';
    expect(
      causes(
        fails('create/persists', lost, answered('create', 200)),
        fails(
          'create/same-name-twice',
          'two creates with one name were answered with a tag_id each, but a list leaves out one of the tags',
          answered('list', 200),
        ),
        fails(
          'overlap/creates',
          'the create of "a" at the same time as others answered 200, and the tag is not listed',
          answered('create', 200),
        ),
      ),
    ).toEqual([
      { id: 'create/same-name-twice', explains: ['overlap/creates', 'create/persists'], waiting: [] },
    ]);
  });

  test('are one if a list leaves out tags that others show, so that creates seem to be lost', () => {
    expect(
      causes(
        fails(
          'create/persists',
          'create was acknowledged, but no list shows the tag (9 times in this run)',
          answered('create', 200),
        ),
        fails(
          'list/holds-all-tags',
          'the list answered 200 and leaves out the tag_id "7", which lists before and after it show',
          answered('list', 200),
        ),
      ),
    ).toEqual([{ id: 'list/holds-all-tags', explains: ['create/persists'], waiting: [] }]);
  });

  test('are one if only filtered lists show the tags of another account', () => {
    const shows = 'the list of the second account shows the tag "a" of the first';
    const list = answered('list', 200, '?tag=a');
    expect(
      causes(
        fails('account/list-is-private', shows, list),
        fails('account/filter-is-private', `${shows}, too`, list),
      ),
    ).toEqual([{ id: 'account/filter-is-private', explains: ['account/list-is-private'], waiting: [] }]);
  });

  test.each([
    ['answered 200, not 404', 1],
    ["the delete by the second account answered 200, and the first account's tag is no longer listed", 2],
  ])('are one if a delete of a missing tag is confirmed and that of a foreign one: %s', (why, count) => {
    expect(
      causes(
        fails('delete/unknown-404', 'answered 202, not 404', answered('delete', 202)),
        fails('account/delete-is-private', why, answered('delete', 200)),
      ),
    ).toHaveLength(count);
  });

  test('are one if updates change other tags, for which lists and deletes are blamed as well', () => {
    const changed = 'and another tag is now named "ctqzpigftulglp"';
    expect(
      causes(
        fails(
          'create/persists',
          'create was acknowledged, but no list shows the tag',
          answered('create', 200),
        ),
        fails('update/others-stay', `the update answered 200, ${changed}`, answered('rename', 200)),
        fails('list/changes-nothing', `the list answered 200, ${changed}`, answered('list', 200)),
        fails('delete/others-stay', `the delete answered 200, ${changed}`, answered('delete', 200)),
      ),
    ).toMatchObject([
      {
        id: 'update/others-stay',
        explains: ['create/persists', 'list/changes-nothing', 'delete/others-stay'],
      },
    ]);
  });

  test('are one if an update gave its name to a tag that no list had shown, for which lists are blamed as well', () => {
    const why =
      'a create and then an update of another tag were acknowledged, but lists show its tag_id with the name "ctqzpigftulglp", which is that of the update';
    expect(
      causes(
        fails('list/changes-nothing', 'the list answered 200, and another tag is now named "ctqzpigftulglp"'),
        fails('update/takes-effect', why, answered('create', 200)),
      ),
    ).toMatchObject([{ id: 'update/takes-effect', explains: ['list/changes-nothing'] }]);
  });

  test('are one if tags vanish by themselves, for which a request is blamed that left them alone at another time', () => {
    const blamed = {
      ...fails('token/missing-on-update', 'answered 401 without a token, yet the tag is no longer listed'),
      steadiness: { asked: 2, failed: 1 },
    };
    const vanished = fails('create/lasts', 'a tag that nobody deleted is no longer listed');
    expect(causes(blamed, vanished)).toMatchObject([
      { id: 'create/lasts', explains: ['token/missing-on-update'] },
    ]);
    const steady = { ...blamed, steadiness: { asked: 2, failed: 2 } };
    expect(causes(steady, vanished)).toMatchObject([{ id: 'token/missing-on-update' }]);
  });

  test('begin with a create without a name that is accepted, because other creates may give it theirs', () => {
    const doubled = fails('overlap/creates', 'the create answered 200, and 3 tags with the name are listed');
    const confused = fails(
      'create/persists',
      'a create with the name "" was acknowledged, and a list shows its tag_id "7" with the name "ctb" of another tag',
    );
    const accepted = fails('create/name-missing', 'answered 200, not 422', answered('create', 200));
    expect(causes(confused, doubled, accepted)).toMatchObject([{ id: 'create/name-missing' }, {}]);
    expect(causes(confused, doubled)).toMatchObject([{ id: 'overlap/creates' }]);
  });

  test('are one if the same exchange decides', () => {
    const shared = answered('create', 201);
    expect(
      causes(
        fails('create/answers', 'answered 201, not 200', shared),
        fails('create/json-spelling', 'is not 200', shared),
      ),
    ).toMatchObject([{ id: 'create/answers', explains: ['create/json-spelling'] }]);
  });

  test('are one if the next tag_id happens to be the one that a client sent', () => {
    expect(
      causes(
        fails('create/distinct-ids', 'two existing tags were given the tag_id "9"', answered('create', 200)),
        fails(
          'create/assigns-the-id',
          'the tag was given the tag_id "6" that the client sent',
          answered('create', 200),
        ),
      ),
    ).toMatchObject([{ id: 'create/distinct-ids', explains: ['create/assigns-the-id'] }]);
  });

  test('are one if one kind of body fails, and so do several together', () => {
    expect(
      causes(
        fails('update/name-falsy', 'answered 200 to the name 0, not 422', answered('rename', 200)),
        fails('update/name-number', 'answered 200, not 422', answered('rename', 200)),
      ),
    ).toMatchObject([{ id: 'update/name-number', explains: ['update/name-falsy'] }]);
  });

  test('are those that undecided requirements wait for', () => {
    const failed = answered('create', 201);
    const report = reportOf([
      fails('delete/answers', 'answered 201, not 200', answered('delete', 201)),
      fails('create/answers', 'answered 201, not 200', failed),
      waits('list/x', 'the tag was not made', failed),
      waits('update/x', 'the delete of a tag answered 201'),
      waits('list/y', 'the time for the whole run (5 s) ran out'),
    ]);
    expect(report.causes).toMatchObject([
      { id: 'create/answers', waiting: ['list/x'] },
      { id: 'delete/answers', waiting: ['update/x'] },
    ]);
    expect(report.requirements.map(({ waitsFor }) => waitsFor).slice(2)).toEqual([
      'create/answers',
      'delete/answers',
      undefined,
    ]);
  });

  test('are not what a requirement waits for whose own request got no answer', () => {
    const report = reportOf([
      fails('delete/answers', 'answered 201, not 200', answered('delete', 201)),
      waits('open/query-limit', 'a long query gave no answer', exchangeOf(failure('timeout'))),
      waits('list/x', 'the tag was not made', answered('create', 500)),
    ]);
    expect(report.causes).toMatchObject([{ id: 'delete/answers', waiting: ['list/x'] }]);
  });
});
