import { harmless } from '../http/wording.ts';
import type { Predicate } from './statement.ts';

/** What a certificate says, in sentences: what was certified, when, for whom, with what, and until when. */
export function sentencesOf(predicate: Predicate): string[] {
  const { product, operator, target, suite, specification, catalogue, power, limits, levels } = predicate;
  const { startedAt, endedAt, notAfter, seed, declaration, reproduce } = predicate;
  const of = (level: 'required' | 'derived'): number =>
    Object.values(levels[level] ?? {}).reduce((sum, count) => sum + (count ?? 0), 0);
  const { requests, logins } = limits.sent;
  return [
    `${product.name} ${product.version} is ${predicate.verdict} to ${specification.title}.`,
    ...(target.isReference
      ? [
          'The target was the reference server of the suite itself, so this certifies the suite and no product.',
        ]
      : []),
    `The target was ${target.origin}, over ${target.tls.version} with a certificate of ${oneLine(target.tls.issuer)} (SHA-256 ${target.tls.certificate}).`,
    `The run began at ${startedAt} and ended at ${endedAt}${operator === undefined ? '' : `; ${operator} ran it`}.`,
    `${suite.name} ${suite.version} checked ${catalogue.requirements} requirements, ${of('required')} required and ${of('derived')} derived ones among them, with ${requests} requests and ${logins} logins.`,
    ...(suite.changed === true ? ['Files of the suite differed from those of its commit.'] : []),
    `Its own tests prove that this version finds each of ${power.mutants} servers with one defect and passes each of ${power.variants} servers that conform in other ways.`,
    ...(power.generated === undefined ? [] : [generatedSentence(power.generated)]),
    ...(limits.warned.length === 0 ? [] : [`It warns about ${limits.warned.join(', ')}.`]),
    ...(limits.inapplicable.length === 0
      ? []
      : [`Choices of the target left nothing to check for ${limits.inapplicable.join(', ')}.`]),
    declaration === 'given'
      ? 'The implementer declared answers to open questions, and the target gave them.'
      : 'The implementer declared nothing: the answers to open questions are those that were observed.',
    `Seed ${seed}; to certify it again: ${reproduce}`,
    `The certificate is valid until ${notAfter}.`,
  ].map(harmless);
}

/** A distinguished name, whose parts Node.js separates by line breaks. */
const oneLine = (name: string): string => name.replaceAll('\n', ', ');

/** How many generated faults the suite was measured to find. */
export const generatedSentence = ({
  effort,
  required,
  derived,
}: NonNullable<Predicate['power']['generated']>): string =>
  `In a measurement with generated faults, which nobody had listed, it found ${required.caught} of ${required.drawn} against required and ${derived.caught} of ${derived.drawn} against derived requirements, with the effort ${effort}.`;
