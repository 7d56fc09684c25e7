import { accepted, TAG_OPERATIONS, type TagOperation, type Target, Undecided } from '../../lib/check.ts';
import { workingOperations } from '../tour.ts';
import type { Probe } from './probe.ts';
import { scopeProbes } from './probes.ts';

/** The probe of the token with the scope api alone. */
export const probeOfApi = (probes: readonly Probe[]): Probe | undefined =>
  probes.find(({ scopes }) => scopes.join() === 'api');

/** The operations that are accepted with api alone and have their effect; if that was not probed, those of the tour. */
export async function operationsOfApi(
  target: Target,
  probes: readonly Probe[],
): Promise<readonly TagOperation[]> {
  const api = probeOfApi(probes);
  const works = api === undefined ? await workingOperations(target) : undefined;
  return TAG_OPERATIONS.filter((operation) =>
    api === undefined ? works?.has(operation) : accepted(api.asked[operation]) && api.permits[operation],
  );
}

/** The probes, and their twin: the operations that work with api alone. */
export async function probesAndTwin(
  target: Target,
): Promise<{ twin: readonly TagOperation[]; probes: readonly Probe[] }> {
  const probes = await scopeProbes(target);
  const twin = await operationsOfApi(target, probes);
  if (twin.length === 0) throw new Undecided('failure', 'no operation works with a token for api alone');
  return { twin, probes };
}
