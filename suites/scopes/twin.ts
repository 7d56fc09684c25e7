import { accepted, TAG_OPERATIONS, type TagOperation, type Target, Undecided } from '../../lib/check.ts';
import { tour } from '../tour.ts';
import type { Probe } from './probe.ts';
import { scopeProbes } from './probes.ts';

/** The probes, and as their twin the operations that were accepted with api alone and had their effect. */
export async function probesAndTwin(
  target: Target,
): Promise<{ twin: readonly TagOperation[]; probes: readonly Probe[] }> {
  const probes = await scopeProbes(target);
  const api = probes.find(({ scopes }) => scopes.join() === 'api');
  const { operations } = await tour(target);
  const twin = TAG_OPERATIONS.filter((operation) =>
    api === undefined
      ? operations.some((exchange) => exchange.ask.operation === operation && accepted(exchange))
      : accepted(api.asked[operation]) && api.permits[operation],
  );
  if (twin.length === 0) throw new Undecided('failure', 'no operation works with a token for api alone');
  return { twin, probes };
}
