import { ifDecided, type Secret, type Target } from '../../lib/check.ts';
import { scopeProbes } from './probes.ts';
import { tokensEnd } from './survey.ts';

/** A token of the account that most likely permits no change, and its scopes. */
interface NarrowToken {
  readonly token: Secret;
  readonly scopes: string;
}

/** Such a token, if there is one and its use takes no login. */
export const narrowToken = (target: Target): Promise<NarrowToken | undefined> =>
  ifDecided(async () => {
    if (await tokensEnd(target)) return undefined;
    const all = (await scopeProbes(target)).filter(
      ({ permits }) => !permits.create && !permits.rename && !permits.delete,
    );
    // A guard may take a change for a list, which this token permits.
    const narrow = all.find(({ permits }) => permits.list) ?? all[0];
    return narrow && { token: await target.token(narrow.scopes), scopes: narrow.scopes.join(', ') };
  });
