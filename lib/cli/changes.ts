import pc from 'picocolors';
import { changesBetween, type Change } from '../catalogue/entries.ts';
import { catalogueOf, readRecord, type CatalogueRecord } from '../catalogue/record.ts';
import { SettingsError } from '../settings-error.ts';
import { SUITE } from '../suite.ts';

export interface ChangesFlags {
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** What differs between two versions. */
interface Differences {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Change[];
  /** How a check changed although the text of its requirement did not, by id. */
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Prints which requirements are new or changed since a version.
 *
 * @param record by default the one of this suite.
 * @throws SettingsError if a version is missing or not in the record, or if `from` is the later one.
 */
export function changes(
  { from, to = SUITE.version, json = false }: ChangesFlags,
  record = readRecord(),
): number {
  const differences = differencesBetween(record, from, to);
  const text = json ? JSON.stringify(differences, null, 2) : lines(differences).join('\n');
  process.stdout.write(`${text}\n`);
  return 0;
}

function differencesBetween(record: CatalogueRecord, from: string | undefined, to: string): Differences {
  const names = record.versions.map(({ version }) => version);
  if (from === undefined)
    throw new SettingsError(
      `changes is expected to be given --from with a version that the record has: ${names.join(', ')}.`,
    );
  const [before, after] = [catalogueOf(record, from), catalogueOf(record, to)];
  const unknown = before === undefined ? from : to;
  if (before === undefined || after === undefined)
    throw new SettingsError(
      `The record of this suite has no version ${JSON.stringify(unknown)}; it has ${names.join(', ')}.`,
    );
  if (names.indexOf(from) > names.indexOf(to))
    throw new SettingsError(`${from} comes after ${to}; give the older version as --from.`);
  const since = record.versions.slice(names.indexOf(from) + 1, names.indexOf(to) + 1);
  const checks = Object.assign({}, ...since.map((one) => one.checks ?? {})) as Record<string, string>;
  return { from, to, changes: changesBetween(before, after), checks };
}

function lines({ from, to, changes, checks }: Differences): string[] {
  const fresh = changes.filter(({ change }) => change === 'new');
  const failing = fresh.filter(({ level }) => level === 'required' || level === 'derived');
  const harder = changes.filter((one) => one.change === 'changed' && raises(one.was.level, one.level));
  return [
    pc.bold(`${SUITE.name} ${to}, compared with ${from}`),
    ...(changes.length + Object.keys(checks).length === 0
      ? ['No requirement is new or changed.']
      : [
          ...part('New', fresh),
          ...part(
            'Changed',
            changes.filter(({ change }) => change === 'changed'),
          ),
          ...part(
            'Removed',
            changes.filter(({ change }) => change === 'removed'),
          ),
          ...(Object.keys(checks).length === 0
            ? []
            : ['', pc.bold('Changed checks of unchanged requirements')]),
          ...Object.entries(checks).map(([id, sentence]) => `  ${id}: ${sentence}`),
          '',
          failing.length + harder.length === 0
            ? 'No new or changed requirement can fail a target.'
            : `${failing.length + harder.length} of them can fail a target that conformed before.`,
        ]),
  ];
}

const part = (title: string, changes: readonly Change[]): string[] =>
  changes.length === 0 ? [] : ['', pc.bold(`${title}: ${changes.length}`), ...changes.flatMap(linesOf)];

function linesOf(one: Change): string[] {
  const { id, level, text } = one;
  if (one.change !== 'changed') return [`  ${id} (${level}): ${text}`];
  return [
    `  ${id} (${one.was.level === level ? level : `${level}, was ${one.was.level}`}): ${text}`,
    ...(one.was.text === text ? [] : [pc.dim(`    was: ${one.was.text}`)]),
  ];
}

/** Whether a requirement can fail a target now, and could not before. */
const raises = (was: Change['level'], now: Change['level']): boolean =>
  ['required', 'derived'].includes(now) && !['required', 'derived'].includes(was);
