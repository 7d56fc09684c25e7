import {
  accepted,
  bodies,
  broken,
  holds,
  type Outcome,
  type Requirement,
  succeeds,
  type TagOperation,
  type Target,
  undecided,
} from '../../lib/check.ts';
import type { Probe } from './probe.ts';
import { probesAndTwin } from './twin.ts';

/** What differs from section 4 in the answers to an operation that the token was permitted; undefined where nothing does. */
function differenceIn({ asked, permits }: Probe, operation: TagOperation) {
  if (!permits[operation]) return undefined;
  const answers = operation === 'list' ? [asked.list, asked.filtered] : [asked[operation]];
  const shape = { create: bodies.tag, rename: bodies.message, list: bodies.list, delete: bodies.message };
  return answers
    .filter(accepted)
    .map((exchange) => succeeds(exchange, shape[operation]))
    .find(({ kind }) => kind === 'broken');
}

async function checkAnswers(target: Target): Promise<Outcome> {
  const { twin, probes } = await probesAndTwin(target);
  const api = probes.find(({ scopes }) => scopes.join() === 'api');
  for (const probe of probes)
    for (const operation of twin) {
      const difference = differenceIn(probe, operation);
      if (difference?.kind !== 'broken') continue;
      const { why, exchanges } = difference;
      return api === undefined || differenceIn(api, operation) !== undefined
        ? undecided('failure', `${why}, with api alone as well`, ...exchanges)
        : broken(`${why}, to a token for ${probe.scopes.join(', ')}`, ...exchanges);
    }
  return holds();
}

export const answersAlike: Requirement = {
  id: 'scope/answers-alike',
  effort: 'standard',
  section: '4.2',
  sentences: ['4.2/status-200', '4.3/status-200', '4.4/status-200', '4.5/status-200'],
  level: 'derived',
  derivation:
    'Section 4 gives one answer for each operation that succeeds, whichever scopes the token has that permits it.',
  text: 'An operation that a token of any scope carries out is answered as it is with api alone.',
  cause: 'The routes of other scopes have code of their own, which answers in another form.',
  check: checkAnswers,
};
