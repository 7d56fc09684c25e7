import type { Effort } from '../effort.ts';
import type { Result } from '../run/results.ts';
import type { Exchange } from '../http/exchange.ts';
import { withShortQuotes } from '../http/wording.ts';
import { contradiction } from '../judging/claim.ts';
import { decisiveOf, meantBy } from '../judging/decisive.ts';
import { evidence, type Evidence } from '../judging/evidence.ts';
import type { Masker } from '../judging/masker.ts';
import type { Requirement } from '../requirement.ts';
import { expectedIn } from './expected.ts';
import { TAGGING_PATH } from '../spec/operations.ts';
import { createdIn } from '../spec/reading.ts';
import type { ReportedRequirement } from './schema.ts';

/** The most tags that are made again to repeat a finding. */
const MOST_SET_UP = 5;

/** What turns the exchanges of one run into data, and tells how to repeat a case of it. */
export interface Reporting {
  readonly base: URL;
  readonly masker: Masker;
  /** Whether a name is one that the run gave to a tag. */
  readonly isOwn: (name: string) => boolean;
  readonly seed: string;
  readonly effort: Effort;
  /** The names that the run gave to its tags, by tag_id. */
  readonly ownTags?: (() => ReadonlyMap<string, string>) | undefined;
  /** Gives the sentence of the specification that a requirement checks. */
  readonly says?: Says | undefined;
}

/** Gives the sentence of the specification that a requirement checks first of all, with its section. */
export type Says = (requirement: Requirement) => { readonly section: string; readonly says: string };

/** One result as data that may leave the process. */
export function reported(result: Result, reporting: Reporting): ReportedRequirement {
  const { requirement, outcome, verdict } = result;
  const reason = reasonOf(result, reporting.masker);
  const exchanges = exchangesOf(result, reporting);
  const expected = verdict === 'fail' || verdict === 'warn' ? expectedIn(reason, exchanges) : undefined;
  return {
    ...sentence(requirement),
    ...(reporting.says === undefined ? {} : { specification: reporting.says(requirement) }),
    verdict,
    reason,
    ...(verdict === 'skipped' && outcome.kind === 'undecided'
      ? { skippedFor: outcome.because === 'budget' ? ('budget' as const) : ('tester' as const) }
      : {}),
    exchanges,
    ...(verdict === 'fail' || verdict === 'warn' ? setUpOf(result, reporting) : {}),
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

/** The exchanges that show a finding. The one that decides it is marked. */
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

/** A text as it stands in a path; a lone surrogate, which stands in none, is left as it is. */
const encoded = (text: string): string => (/\p{Cs}/u.test(text) ? text : encodeURIComponent(text));

/** The tags of the run that the exchanges of a finding address and that other exchanges made. */
function setUpOf({ outcome }: Result, { ownTags, masker }: Reporting): Pick<ReportedRequirement, 'setUp'> {
  const finding = outcome.kind === 'holds' ? outcome.warning : outcome;
  const exchanges = finding?.exchanges ?? [];
  const why = finding !== undefined && 'why' in finding ? finding.why : '';
  const own = ownTags?.() ?? new Map<string, string>();
  const made = new Set(exchanges.map((exchange) => createdIn(exchange)?.tagId));
  const bodies = exchanges.map(({ ask: { body } }) => (typeof body === 'string' ? body : ''));
  const setUp = [...own].flatMap(([tagId, name]) => {
    const isAddressed = exchanges.some(({ ask: { path, method } }, at) => {
      const rest = path.startsWith(`${TAGGING_PATH}/`) ? path.slice(TAGGING_PATH.length + 1) : '';
      const after = rest.startsWith(encoded(tagId)) ? rest.slice(encoded(tagId).length) : undefined;
      // The start of a longer number is another tag_id.
      return (
        (after !== undefined && !/^\d/.test(after)) ||
        path.endsWith(`?tag=${encoded(name)}`) ||
        bodies[at]?.includes(`"${tagId}"`) === true ||
        (method === 'POST' && bodies[at]?.includes(JSON.stringify(name)) === true)
      );
    });
    return tagId !== '' && !made.has(tagId) && (isAddressed || why.includes(JSON.stringify(name)))
      ? [{ tag_id: masker.text(tagId), name: masker.text(name) }]
      : [];
  });
  return setUp.length === 0 ? {} : { setUp: setUp.slice(0, MOST_SET_UP) };
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

function sentence(
  requirement: Requirement,
): Pick<ReportedRequirement, 'id' | 'section' | 'level' | 'text' | 'derivation' | 'cause' | 'key'> {
  const { id, section, level, text, cause } = requirement;
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

/** Empty where a requirement holds, or where an answer was only observed. */
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
  const { told, path, script } = outcome.example;
  return {
    example: {
      told: masker.text(told),
      path,
      // The effort decides how many cases there are, and so which case a path selects.
      repeat: [
        `npm start -- --only ${requirement.id}`,
        ...(effort === 'standard' ? [] : [`--effort ${effort}`]),
        `--seed ${shellWord(masker.text(seed))} --path ${path}`,
      ].join(' '),
      ...(script === undefined ? {} : { script: masker.text(script) }),
    },
  };
}

const shellWord = (word: string): string =>
  /^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
