import type { Answer } from '../http/exchange.ts';
import type { Client } from '../http/client.ts';
import type { Finding } from '../outcome.ts';
import { removeAll, type Residue } from './residue.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

/** Makes tags of the run on a target that holds a stranger's already, and tidies up. */
export async function cleanedUp(
  target: FakeTarget,
  changes: {
    readonly count?: number;
    readonly paged?: boolean;
    readonly before?: (client: Client) => void;
  } = {},
): Promise<{
  residue: readonly Residue[];
  names: readonly string[];
  deleted: readonly string[];
  lost: readonly Finding[];
}> {
  const { session, client } = sessionWith(target);
  const names = Array.from({ length: changes.count ?? 2 }, () => session.names.plain());
  await session.first.list();
  for (const name of names) await session.first.create({ name }, [name]);
  if (changes.paged === true) session.settling.notePage(1);
  changes.before?.(client);
  const sent = target.lines.length;
  const residue = await removeAll(session.first, session);
  const deleted = target.lines.slice(sent).filter((line) => line.startsWith('DELETE'));
  return { residue, names, deleted, lost: session.signs.of('create-lost') };
}

/** The tag of a stranger. */
export const stranger = { '7': 'Rent' };
/** A target that answers every delete in this way. */
export const deletesWith = (answer: Answer): FakeTarget => {
  const target = new FakeTarget(stranger);
  target.instead = ({ method }) => (method === 'DELETE' ? answer : undefined);
  return target;
};
