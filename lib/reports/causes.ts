import { isBetweenChecks, isOfStaleLists, rankOf } from './cause-ranks.ts';
import { fits } from './composite.ts';
import { blamesWrongly, explains, isDamaging, isMixedUp, showsRemoval } from './consequences.ts';
import { type Features, featuresOf, sharesFault } from './finding-features.ts';
import type { Cause, ReportedRequirement } from './schema.ts';

/** Matches reasons for undecided requirements that no finding explains. */
const OF_THE_RUN = /\bran out\b|stopped answering|interrupted|fault of the suite/;

/**
 * Finds the causes of failures: each failure leads a cause or follows from one that leads. Undecided requirements wait
 * for a cause if they share its operation or its exchange.
 */
export function causesOf(requirements: readonly ReportedRequirement[]): Cause[] {
  const failures = requirements.filter(({ verdict }) => verdict === 'fail').map(featuresOf);
  const isBlamed = ({ one }: Features): boolean => failures.some((other) => blamesWrongly(one, other.one));
  // If creates had no effect, or gave an id twice, only beside other requests, the cause is the overlap, or lists that leave
  // out what others show. If the target makes one tag of two with one name, a tag is lost without an overlap as well. If it makes
  // tags without a name, other creates may give them theirs.
  const races = failures.some(({ one }) => fits(one.id, 'create/*') && isBetweenChecks(one));
  const areTwins = failures.some(({ one }) => one.id === 'create/same-name-twice');
  const makesUnnamed = failures.some(
    ({ one }) => one.id === 'create/name-missing' && one.reason.startsWith('answered 200'),
  );
  const areMixedUp = failures.some(({ one }) => isMixedUp(one));
  // A tag got the name of another, and updates one after another leave other tags alone.
  const areNamesMixedUp =
    failures.some(
      ({ one }) => isBetweenChecks(one) && / with the name .* of another tag\b/.test(one.reason),
    ) && failures.every(({ one }) => one.id !== 'update/others-stay');
  // If two tags had one tag_id, `list/ids-once` would fail. Otherwise two names may count as one.
  const areNamesFolded = failures.every(({ one }) => one.id !== 'list/ids-once');
  const leads = ({ one }: Features): boolean =>
    (isOfStaleLists(one) && !areMixedUp) ||
    (showsRemoval(one) && failures.some((other) => blamesWrongly(other.one, one))) ||
    (races &&
      (isMixedUp(one) ||
        (areNamesFolded && one.id === 'name/distinct' && one.reason.includes('made one tag')) ||
        (one.id === 'list/holds-all-tags' && !areMixedUp) ||
        (one.id === 'account/same-name' && one.reason.includes('no list shows the tag')) ||
        (one.id === 'overlap/explained-by-an-order' && areNamesMixedUp) ||
        (one.id === 'overlap/creates' && !areTwins && !makesUnnamed)));
  const byRank = failures.toSorted(
    (one, other) => Number(leads(other)) - Number(leads(one)) || rankOf(one.one) - rankOf(other.one),
  );
  const ranked = [...byRank.filter((one) => !isBlamed(one)), ...byRank.filter(isBlamed)];
  const groups: Features[][] = [];
  for (const finding of ranked) {
    const fitting = groups.filter((members) => {
      const [lead] = members;
      return (
        lead !== undefined && (explains(lead, finding) || members.some((one) => sharesFault(one, finding)))
      );
    });
    // If several fit, the one about the same operation explains more.
    const group = fitting.find(([lead]) => lead?.operation === finding.operation) ?? fitting[0];
    if (group === undefined) groups.push([finding]);
    else group.push(finding);
  }
  const undecided = requirements
    .filter(({ verdict, reason }) => verdict === 'error' && !OF_THE_RUN.test(reason))
    .map(featuresOf);
  const waiting = new Map(undecided.map((one) => [one, awaited(one, groups)]));
  return groups.flatMap((members) => {
    const [lead, ...others] = members;
    if (lead === undefined) return [];
    return [
      {
        id: lead.one.id,
        explains: others.map(({ one }) => one.id),
        waiting: undecided.filter((one) => waiting.get(one) === members).map(({ one }) => one.id),
      },
    ];
  });
}

/** The cause that an undecided requirement waits for. */
function awaited(one: Features, groups: readonly Features[][]): Features[] | undefined {
  const { exchanges } = one.one;
  const numbers = exchanges.map(({ number }) => number);
  const related =
    groups.find((members) =>
      members.some(({ decisive }) => decisive !== undefined && numbers.includes(decisive)),
    ) ?? groups.find((members) => members.some((member) => sharesFault(member, one)));
  // A request that got no answer is a reason of its own.
  if (related !== undefined || exchanges.some(({ answer }) => answer === undefined)) return related;
  return (
    groups.find(([lead]) => lead !== undefined && lead.operation === one.operation) ??
    groups.find(([lead]) => lead !== undefined && isDamaging(lead.one)) ??
    (groups.length === 1 ? groups[0] : undefined)
  );
}
