import { join } from 'node:path';
import pc from 'picocolors';
import { harmless } from '../http/wording.ts';
import { EXIT } from '../judging/judge.ts';
import { comparisonPage } from '../pages/comparison-page.tsx';
import { compare, readSide, type Side } from '../reports/comparing.ts';
import { isFolder } from '../folder.ts';
import { textIn } from '../given-file.ts';
import { SettingsError } from '../settings-error.ts';
import { writePage } from './writing-page.ts';

export interface CompareFlags {
  /** Where to write the comparison as a page. */
  readonly html?: string;
}

/**
 * Prints how each of the other runs differs from the first one.
 *
 * @param files reports, fingerprints, or folders that hold a report.
 * @returns the exit code: 1 if a verdict got worse.
 * @throws SettingsError if a file cannot be read, or the page not be written.
 */
export function compareFiles(files: readonly string[], { html }: CompareFlags = {}): number {
  const sides = files.map(sideIn);
  const [first, ...others] = sides;
  if (first === undefined || others.length === 0)
    throw new SettingsError(
      'compare is expected to be given two files or more, such as before/report.json after/report.json.',
    );
  const found = others.map((other) => ({ other, differences: compare(first, other) }));
  for (const { other, differences } of found) {
    const heading = `${other.name}, compared with ${first.name}`;
    process.stdout.write(`${pc.bold(harmless(heading))}\n`);
    for (const { what, was, now, isWorse } of differences) {
      const line = harmless(`${what}: ${now}, was ${was}`);
      process.stdout.write(`  ${isWorse ? pc.red(line) : line}\n`);
    }
    process.stdout.write(`  ${pc.dim(summary(first, other, differences.length))}\n\n`);
  }
  if (html !== undefined) {
    writePage(html, comparisonPage(sides));
    process.stdout.write(`The page of this comparison: ${html}\n`);
  }
  const worse = found.flatMap(({ differences }) => differences).filter(({ isWorse }) => isWorse);
  if (worse.length > 0) process.stdout.write(`${worse.length} verdicts got worse.\n`);
  return worse.length > 0 ? EXIT.nonConforming : EXIT.conforming;
}

function summary(first: Side, other: Side, differences: number): string {
  const verdicts = [...other.verdicts.keys()].filter((id) => first.verdicts.has(id)).length;
  const all = verdicts + new Set([...first.answers.keys(), ...other.answers.keys()]).size;
  const what = verdicts === 0 ? 'answers' : 'verdicts and answers';
  return differences === 0
    ? `All ${all} ${what} are the same.`
    : `The other ${all - differences} ${what} are the same.`;
}

/**
 * Reads a report or a fingerprint.
 *
 * @param file its path, or that of a folder with a report.
 * @throws SettingsError if it is neither.
 */
export function sideIn(file: string): Side {
  const path = isFolder(file) ? join(file, 'report.json') : file;
  const todo = 'give report.json, fingerprint.json or a folder with a report';
  const side = readSide(file, textIn(path, file, todo));
  if (side === undefined)
    throw new SettingsError(`${file} is neither a report nor a fingerprint of this suite.`);
  return side;
}
