import { describe, expect, test } from 'vitest';
import { answered, causes, fails } from './causes.test.double.ts';

describe('the causes of failures', () => {
  test.each([
    [
      'update/takes-effect',
      'answered 200, yet the tag is still listed with its old name',
      'transport/chunked-body',
      'answered 200 to an update with its body in chunks, but no list shows the tag with that name',
    ],
    [
      'delete/unknown-removes-nothing',
      'the delete of "7" answered 404, and another tag is gone',
      'update/name-missing',
      'answered 404 to an update of a tag after others of it were refused',
    ],
    [
      'create/lasts',
      'an update of a tag that was made first answered 200 at the end of the run, but has no effect',
      'scope/sets',
      'a token for mutation, bank may not update, which a token for one of them may: answered 200',
    ],
  ])('begin with %s, not with what only uses the operation', (basic, why, other, otherWhy) => {
    const [cause] = causes(
      fails(other, otherWhy, answered('list', 200)),
      fails(basic, why, answered('rename', 200)),
    );
    expect(cause?.id).toBe(basic);
  });

  test('begin with deletes that remove other tags, not with refused requests beside which tags vanish', () => {
    const removal = fails(
      'delete/others-stay',
      'the delete answered 200, and another tag is no longer listed',
      answered('delete', 200),
    );
    const refused = fails(
      'update/id-as-a-whole',
      'the update of the tag_id followed by .0 answered 404, and the tag of that tag_id is no longer listed',
      answered('rename', 404),
    );
    const lost = fails(
      'create/persists',
      'create was acknowledged, but no list shows the tag (9 times in this run)',
      answered('create', 200),
    );
    expect(causes(lost, refused, removal).map(({ id }) => id)).toEqual(['delete/others-stay']);
    // Without it, tags may vanish for another reason.
    expect(causes(lost, removal)[0]?.id).toBe('create/persists');
  });

  test('are overlapping updates, if tags get the names of others, and updates one by one leave others alone', () => {
    const overlap = fails(
      'overlap/explained-by-an-order',
      'tag 1 is listed as "c" in the end, which no order of the operations explains',
      answered('list', 200),
    );
    const mixedUp = fails(
      'create/persists',
      'a create with the name "a" was acknowledged, and a list shows its tag_id "1" with the name "b" of another tag',
      answered('create', 200),
    );
    const inVain = fails(
      'update/every-time',
      'in the second account, update 2 of the same tag answered 200, but has no effect',
      answered('rename', 200),
    );
    expect(causes(mixedUp, inVain, overlap).map(({ id }) => id)).toEqual(['overlap/explained-by-an-order']);
    const others = fails(
      'update/others-stay',
      'the update answered 200, and another tag is now named "c"',
      answered('rename', 200),
    );
    expect(causes(mixedUp, inVain, overlap, others)[0]?.id).toBe('update/others-stay');
  });

  test('are creates that have no effect, not their overlap, if the first one had none', () => {
    const [cause] = causes(
      fails(
        'create/persists',
        'the first create, beside which nothing was sent, was acknowledged, and no list shows the tag',
        answered('create', 200),
      ),
      fails(
        'overlap/creates',
        'the create of "a" at the same time as others answered 200, and the tag is not listed',
        answered('create', 200),
      ),
    );
    expect(cause?.id).toBe('create/persists');
  });

  test('begin with an operation that no longer works at the end', () => {
    expect(
      causes(
        fails(
          'name/letters',
          'the create with the name "a" answered 500, neither accepted nor 422',
          answered('create', 500),
        ),
        fails(
          'transport/works-to-the-end',
          'at the end of the run, the create answered 500; at its start the same operation worked',
          answered('create', 500),
        ),
      ),
    ).toMatchObject([{ id: 'transport/works-to-the-end', explains: ['name/letters'] }]);
  });

  test('begin with the answer to a delete of a missing tag if that removes no tag', () => {
    expect(
      causes(
        fails('delete/unknown-404', 'answered 200, not 404', answered('delete', 200)),
        fails(
          'delete/unknown-removes-nothing',
          'answered 200 to a delete of a tag_id that no tag has, after an update of it was refused',
          answered('delete', 200),
        ),
      ),
    ).toEqual([{ id: 'delete/unknown-404', explains: ['delete/unknown-removes-nothing'], waiting: [] }]);
  });

  test.each([
    ['are led by the names, if two of them count as one', [], 'name/distinct'],
    ['are led by the tag_id, if two tags have it', ['list/ids-once'], 'create/distinct-ids'],
  ])('%s', (_, more, led) => {
    const create = answered('create', 200);
    const why = 'create gave the tag_id "9", which another living tag has';
    const [cause] = causes(
      fails('create/distinct-ids', why, create),
      ...more.map((id) => fails(id, 'the tag_id "9" is listed twice', answered('list', 200))),
      fails('name/distinct', 'the creates with the names "a" and "b" made one tag, not two', create),
    );
    expect(cause?.id).toBe(led);
  });

  test('lead from single operations to sequences of them', () => {
    expect(
      causes(
        fails('sequence/x', 'in step 3 (delete tag 1) the target answered 410', answered('delete', 410)),
        fails('delete/again-404', 'answered 410, not 404', answered('delete', 410)),
      ),
    ).toMatchObject([{ id: 'delete/again-404', explains: ['sequence/x'] }]);
  });

  test.each([
    [
      'the filter that hides one of two tags of one name',
      fails(
        'update/others-stay',
        'answered 200 to an update to a name that another tag has, but the filter by that name finds only the other tag',
      ),
      fails('create/same-name-twice', 'the filter finds one of two tags of the same name'),
    ],
    [
      'creates that overlap',
      fails('create/persists', 'create was acknowledged, but no list shows the tag (9 times in this run)'),
      fails(
        'overlap/creates',
        'the create at the same time as others answered 200, and the tag is not listed',
      ),
    ],
    [
      'lists that are kept for too long',
      fails(
        'delete/takes-effect',
        'a delete was acknowledged, yet a list that was requested later shows the tag',
      ),
      fails('scope/answers-alike', 'a token does not list a tag that was made since it listed the name'),
    ],
    [
      'a filter that shows the tags of other accounts',
      fails('account/list-is-private', 'the list of one account shows the tag "a" of another'),
      fails('account/filter-is-private', 'the list of the first account shows the tag "a" of the second'),
    ],
    [
      'a race of logins',
      fails('token/stands-for-the-account', 'the update answered 403 with another token of the account'),
      fails('login/at-once', 'the token of a login shows the tags of the other account'),
    ],
    [
      'a connection that keeps its account',
      fails(
        'list/holds-all-tags',
        'the list answered 200 and leaves out the tag_id "4212", which lists before and after it show (4 times in this run)',
      ),
      fails('transport/connection-keeps-nothing', 'GET /api/v2/tagging answered 200, without a tag'),
    ],
    [
      'a missing tag whose delete fails, whatever its tag_id',
      fails(
        'delete/id-as-a-whole',
        'the delete of the tag_id followed by letters answered 500, not 404, though no tag has that tag_id',
      ),
      fails('delete/unknown-404', 'answered 500, not 404'),
    ],
    [
      'a connection that keeps the rest of a body',
      fails(
        'list/answers',
        'a plain list answered 500 although no other request of the run was under way, and such requests were accepted before and after (4 times in this run)',
      ),
      fails(
        'transport/body-of-refusal',
        'a request with a body answered 401, and then the list answered 500',
      ),
    ],
    [
      'logins that give the token of another account',
      fails('create/persists', 'create was acknowledged, but no list shows the tag (2 times in this run)'),
      fails('login/at-once', 'the token of a login shows the tags of the other account'),
    ],
  ])('begin with %s, not with its effect on other checks', (_, effect, cause) => {
    expect(causes(effect, cause)).toEqual([
      { id: cause.requirement.id, explains: [effect.requirement.id], waiting: [] },
    ]);
  });
});
