import type { Effort } from '../effort.ts';
import type { Result } from '../run/results.ts';
import type { Exchange } from '../http/exchange.ts';
import { STRING_LITERALS, unquoted, withShortQuotes } from '../http/wording.ts';
import type { Outcome } from '../outcome.ts';
import { contradiction } from '../judging/claim.ts';
import { decisiveOf, meantBy } from '../judging/decisive.ts';
import { evidence, type Evidence } from '../judging/evidence.ts';
import { ANOTHERS } from '../judging/list-text.ts';
import type { Masker } from '../judging/masker.ts';
import { literal } from '../repeating/template.ts';
import type { Requirement } from '../requirement.ts';
import { LOGIN_PATH, TAGGING_PATH } from '../spec/operations.ts';
import { expectedIn } from './expected.ts';
import type { ReportedRequirement } from './schema.ts';
import { setUpOf, type OwnTag } from './set-up.ts';

/** What turns the exchanges of one run into data, and tells how to repeat a case of it. */
export interface Reporting {
  readonly base: URL;
  readonly masker: Masker;
  /** Whether a name is one that the run gave to a tag. */
  readonly isOwn: (name: string) => boolean;
  /** Whether lists have shown a stranger's tag with this name. */
  readonly isStrangers?: ((name: string) => boolean) | undefined;
  readonly seed: string;
  readonly effort: Effort;
  /** The tags that the run made, by tag_id. */
  readonly ownTags?: (() => ReadonlyMap<string, OwnTag>) | undefined;
  /** Gives the sentence of the specification that a requirement checks. */
  readonly says?: Says | undefined;
}

/** Gives the first sentence of the specification that a requirement checks, with its section. */
export type Says = (
  requirement: Requirement,
  reason?: string,
) => { readonly section: string; readonly says: string };

/** One result as data that may leave the process. */
export function reported(given: Result, reporting: Reporting): ReportedRequirement {
  const result = { ...given, outcome: withoutStrangers(given.outcome, reporting) };
  const { requirement, outcome, verdict } = result;
  const reason = reasonOf(result, reporting.masker);
  const exchanges = exchangesOf(result, reporting);
  const isFinding = verdict === 'fail' || verdict === 'warn';
  const expected = isFinding ? expectedIn(reason, exchanges) : undefined;
  const setUp = isFinding ? setUpIn(result, reporting) : [];
  const cause = verdict === 'fail' ? causeByStatus(requirement, exchanges) : undefined;
  return {
    ...sentence(requirement),
    ...(cause === undefined ? {} : { cause }),
    ...(reporting.says === undefined
      ? {}
      : { specification: reporting.says(requirement, isFinding ? reason : undefined) }),
    verdict,
    reason,
    ...(verdict === 'skipped' && outcome.kind === 'undecided'
      ? { skippedFor: outcome.because === 'budget' ? ('budget' as const) : ('tester' as const) }
      : {}),
    exchanges,
    ...(setUp.length === 0 ? {} : { setUp }),
    ...(expected === undefined ? {} : { expected }),
    durationMs: Math.round(result.durationMs),
    ...exampleOf(result, reporting),
    ...(result.steadiness === undefined ? {} : { steadiness: result.steadiness }),
    // Answers are values of the suite's own schemas: they hold no secret.
    ...(requirement.level === 'open' && outcome.kind === 'observed'
      ? { answer: outcome.answer, said: requirement.question.tell(outcome.answer) }
      : {}),
    ...(result.claim === undefined ? {} : { declared: result.claim.declared }),
  };
}

/** An outcome whose sentence quotes no name of a stranger's tag. */
function withoutStrangers(outcome: Outcome, { isStrangers }: Reporting): Outcome {
  const masked = <T extends { readonly why: string }>(finding: T): T => ({
    ...finding,
    why: finding.why.replace(STRING_LITERALS, (literal) =>
      isStrangers?.(unquoted(literal)) === true ? `"${ANOTHERS}"` : literal,
    ),
  });
  if (outcome.kind === 'broken' || outcome.kind === 'undecided') return masked(outcome);
  return outcome.kind === 'holds' && outcome.warning !== undefined
    ? { ...outcome, warning: masked(outcome.warning) }
    : outcome;
}

/** Statuses of servers that have no such route, or none for the method. */
const WITHOUT_ROUTE: ReadonlySet<number> = new Set([404, 405, 501]);

/** The routes of the requirements that send an operation's plainest request. */
const ROUTES: Readonly<Record<string, string>> = {
  'login/answers': `POST ${LOGIN_PATH}`,
  'create/answers': `POST ${TAGGING_PATH}`,
  'list/answers': `GET ${TAGGING_PATH}`,
  'list/answers-filtered': `GET ${TAGGING_PATH} with a query`,
  'update/answers': `PUT ${TAGGING_PATH}/{tag_id}, or does not find the tag`,
  'delete/answers': `DELETE ${TAGGING_PATH}/{tag_id}, or does not find the tag`,
};

/** The usual cause, by the status, if even the plainest request of an operation fails. */
function causeByStatus({ id }: Requirement, exchanges: readonly Evidence[]): string | undefined {
  const route = ROUTES[id];
  const status = exchanges.find(({ decides }) => decides === true)?.answer?.status ?? 0;
  if (route === undefined) return undefined;
  if (WITHOUT_ROUTE.has(status)) return `The server has no route for ${route}.`;
  return status >= 500 ? 'An error within the server; its log may tell more.' : undefined;
}

/** The exchanges that show a finding. The deciding one is marked. */
function exchangesOf({ outcome }: Result, reporting: Reporting): Evidence[] {
  const finding = outcome.kind === 'holds' ? outcome.warning : outcome;
  const exchanges = finding?.exchanges ?? [];
  const why = finding !== undefined && 'why' in finding ? finding.why : undefined;
  const decisive = why === undefined ? undefined : decisiveOf(why, exchanges);
  const meant = why === undefined ? undefined : meantBy(why, exchanges);
  return exchanges.map((exchange) => ({
    ...shown(exchange, reporting, meant),
    ...(exchange === decisive ? { decides: true as const } : {}),
  }));
}

/** The tags that the exchanges of a finding need. */
function setUpIn({ outcome }: Result, { ownTags, masker }: Reporting): ReturnType<typeof setUpOf> {
  const finding = outcome.kind === 'holds' ? outcome.warning : outcome;
  const why = finding !== undefined && 'why' in finding ? finding.why : '';
  return setUpOf(finding?.exchanges ?? [], why, ownTags?.() ?? new Map<string, OwnTag>(), masker);
}

/** A requirement that the tester left out. */
export const skipped = (requirement: Requirement, why: string): ReportedRequirement => ({
  ...sentence(requirement),
  verdict: 'skipped',
  reason: why,
  skippedFor: 'tester',
  exchanges: [],
  durationMs: 0,
});

export const shown = (
  exchange: Exchange,
  { base, masker, isOwn }: Reporting,
  meant?: ReadonlySet<string>,
): Evidence => evidence(exchange, base, masker, isOwn, meant);

/** The usual cause if the answer to an open question differs from the declared one. */
const CHANGED = 'A release changed the answer, or the declaration was written for another server.';

function sentence(
  requirement: Requirement,
): Pick<ReportedRequirement, 'id' | 'section' | 'level' | 'text' | 'derivation' | 'cause' | 'key'> {
  const { id, section, level, text, cause = level === 'open' ? CHANGED : undefined } = requirement;
  return {
    id,
    section,
    level,
    text,
    ...(level === 'derived' ? { derivation: requirement.derivation } : {}),
    ...(cause === undefined ? {} : { cause }),
    ...(level === 'open' ? { key: requirement.question.key } : {}),
  };
}

/** Empty if a requirement holds, or if an answer was only observed. */
function reasonOf({ requirement, outcome, claim, verdict }: Result, masker: Masker): string {
  switch (outcome.kind) {
    case 'holds':
      return outcome.warning === undefined ? '' : withShortQuotes(masker.text(outcome.warning.why));
    case 'observed':
      return claim !== undefined && verdict === 'fail' && requirement.level === 'open'
        ? contradiction(requirement.question.key, claim.declared, outcome.answer)
        : '';
    case 'broken':
    case 'undecided':
      return withShortQuotes(masker.text(outcome.why));
  }
}

function exampleOf(
  { requirement, outcome }: Result,
  { seed, effort, masker }: Reporting,
): Pick<ReportedRequirement, 'example'> {
  if (outcome.kind !== 'broken' || outcome.example === undefined) return {};
  const { told, path, script, isCutShort } = outcome.example;
  return {
    example: {
      told: masker.text(told),
      path,
      // The effort decides how many cases there are, and so which case a path selects.
      repeat: [
        `npm start -- --only ${requirement.id}`,
        ...(effort === 'standard' ? [] : [`--effort ${effort}`]),
        `--seed ${commandWord(masker.text(seed))} --path ${path}`,
      ].join(' '),
      ...(script === undefined ? {} : { script: masker.text(script) }),
      ...(isCutShort === undefined ? {} : { isCutShort }),
    },
  };
}

/** A word of a command, in quotes only if it needs them. */
const commandWord = (word: string): string => (/^[\w.:/-]+$/.test(word) ? word : literal(word));
