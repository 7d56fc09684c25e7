import {
  broken,
  type Exchange,
  ifDecided,
  listedIn,
  type Outcome,
  type Secret,
  type Tag,
  type Target,
} from '../../lib/check.ts';
import { listUntil, mayBePage, shows } from '../listed-tags.ts';
import type { Probe } from './probe.ts';

/** A list that leaves out a tag which the other list shows: the one with the filter by its name, or the one without. */
type LeavingOut = 'filtered' | 'list';

export function leavingOut({ asked, tag }: Probe): LeavingOut | undefined {
  const [whole, filtered] = [asked.list, asked.filtered].map(
    (list) => listedIn(list) !== undefined && shows(list, tag),
  );
  return whole === filtered ? undefined : whole === true ? 'filtered' : 'list';
}

/**
 * Broken if a token lists a tag only with the filter by its name, or only without it, and the run's token lists it
 * either way. A new tag decides, because the tag of the probe may have shown late or on another page.
 */
export async function leftOut(target: Target, probe: Probe, api: Probe): Promise<Outcome | undefined> {
  const kind = leavingOut(probe);
  if (kind === undefined || leavingOut(api) === kind) return undefined;
  const token = await ifDecided(() => target.token(probe.scopes));
  const tag = await ifDecided(() => target.makeTag());
  if (token === undefined || tag === undefined) return undefined;
  const [filter, otherFilter] = kind === 'filtered' ? [tag.name, undefined] : [undefined, tag.name];
  const [without, beside] = [
    await listWith(target, tag, filter, token),
    await listWith(target, tag, otherFilter, token),
  ];
  const plain = await target.list(filter);
  await target.removeTags();
  // A tag may be on another page while checks beside this one make tags.
  const isShort = listedIn(without) !== undefined && !mayBePage(target, without);
  return !isShort || shows(without, tag) || !shows(beside, tag) || !shows(plain, tag)
    ? undefined
    : broken(
        `to a token for ${probe.scopes.join(', ')}, the list ${kind === 'filtered' ? 'with' : 'without'} a filter by its name leaves out a tag that both lists show with api alone`,
        without,
        beside,
        plain,
      );
}

/** The list with a token, repeated until it shows the tag or the settle time has passed. */
async function listWith(
  target: Target,
  tag: Tag,
  filter: string | undefined,
  token: Secret,
): Promise<Exchange> {
  const { list } = await listUntil(target, (one) => shows(one, tag), {
    ...(filter === undefined ? {} : { filter }),
    overrides: { token, keepsToken: true },
    late: 'ignored',
  });
  return list;
}
