import { expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';
import { Target } from './target.ts';

test('A check of a run that is over fails when it asks, and not in mid-expression.', async () => {
  const { session } = sessionWith(new FakeTarget());
  const target = new Target(session, 'a/check', 4);
  target.abandon('the run is over');
  const asking = (): Promise<unknown> =>
    Promise.all([
      target.login(),
      target.list(target.name()),
      target.look(undefined, target.name()),
      target.token(),
      target.create({ name: target.nameWith('x') }),
      target.rename('1', { name: target.name() }),
      target.delete('1'),
      target.quietly(() => Promise.resolve(target.living())),
      target.shared('work', 0, () => Promise.resolve(target.issuedIds)),
    ]);
  await expect(asking()).rejects.toThrow('the run is over');
});

test('A check of a run that is over fails to end in one place, and leaves no failing of its parts unheard.', async () => {
  const second = { username: 'somebody else', password: new Secret('Pass-of-another', '$SECOND_PASSWORD') };
  const { session } = sessionWith(new FakeTarget(), { settings: { second } });
  const target = new Target(session, 'a/check', 4);
  await target.made();
  await target.second.made();
  target.abandon('the run is over');
  // A rejection that nobody handles fails this test file, and would end the command line.
  await expect(target.end()).rejects.toThrow('the run is over');
});
