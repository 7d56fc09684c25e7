import { harmless } from '../http/wording.ts';
import { entryLine } from '../known-failures/telling.ts';
import { idsIn, paragraph, type Page } from './finding-lines.ts';
import type { Cause, Report } from './schema.ts';

/** The causes without known failures. If a cause itself is known, the first failure that follows from it takes its place. */
export const unlistedCauses = ({ causes, knownFailures }: Report): Cause[] =>
  causes.flatMap(({ id, explains, waiting }) => {
    const [first, ...others] = [id, ...explains].filter((one) => knownFailures?.known.includes(one) !== true);
    return first === undefined ? [] : [{ id: first, explains: others, waiting }];
  });

/** What the list of known failures adds to the verdict line. */
export function knownNotes({ knownFailures, requirements }: Report): string[] {
  const failed = requirements.filter(({ verdict }) => verdict === 'fail').length;
  const known = requirements.filter((one) => one.verdict === 'fail' && one.known !== undefined).length;
  if (knownFailures === undefined || known === 0) return [];
  return [known === failed ? ', but all failures are known' : `, ${known} of ${failed} failures are known`];
}

/** Each known failure with its finding and its entry in the list. */
export function knownLines({ knownFailures, requirements, causes }: Report, page: Page): string[] {
  const known = requirements.filter((one) => one.known !== undefined);
  if (known.length === 0) return [];
  const isUnknown = (id: string): boolean => !known.some((one) => one.id === id);
  const lines = known.flatMap(({ id, reason, known: entry = {} }) => {
    const waiting = (causes.find((cause) => cause.id === id)?.waiting ?? []).filter(isUnknown);
    return [
      ...paragraph(`${id}: ${reason}`, page, '   ', '     '),
      ...paragraph(harmless(entryLine(entry)), page, '     ', '     ').map(page.colors.dim),
      ...(waiting.length === 0
        ? []
        : paragraph(`Not decided because of it: ${idsIn(waiting)}`, page, '     ', '     ')),
    ];
  });
  return [
    page.colors.bold(`Known failures, which ${knownFailures?.file ?? 'a list'} accepts: ${known.length}`),
    ...lines,
  ];
}

/** The problems of the list, one sentence each. */
export function knownProblemLines({ knownFailures }: Report, page: Page): string[] {
  if (knownFailures === undefined || knownFailures.problems.length === 0) return [];
  return [
    page.colors.bold('Mistakes in the list of known failures'),
    ...knownFailures.problems.flatMap(({ sentence }) =>
      paragraph(sentence, page, '   ', '     ').map(page.colors.red),
    ),
  ];
}
