import type { Colors } from 'picocolors/types.js';
import { VERDICTS } from '../judging/judge.ts';
import { bySection, sectionName } from '../spec/sections.ts';
import type { Report, ReportedRequirement } from './schema.ts';
import { painted } from './verdict-words.ts';

/** Counts requirements: a row for each section, a column for each verdict that occurs. */
export function countsTable({ requirements }: Report, colors: Colors): string {
  const sections = [...new Set(requirements.map(({ section }) => section))].toSorted(bySection);
  const columns = VERDICTS.filter((verdict) => requirements.some((one) => one.verdict === verdict));
  const width = Math.max(...sections.map((section) => sectionName(section).length), 'section'.length);
  const row = (name: string, members: readonly ReportedRequirement[]): string => {
    const cells = columns.map((verdict) => {
      const number = members.filter((one) => one.verdict === verdict).length;
      const cell = (number === 0 ? '·' : String(number)).padStart(verdict.length);
      return number === 0 ? colors.dim(cell) : painted(verdict, cell, colors);
    });
    return `  ${name.padEnd(width)}  ${cells.join('  ')}`;
  };
  return [
    colors.dim(`  ${'section'.padEnd(width)}  ${columns.join('  ')}`),
    ...sections.map((section) =>
      row(
        sectionName(section),
        requirements.filter((one) => one.section === section),
      ),
    ),
    row('all', requirements),
  ].join('\n');
}

/** An answer that gives each of several things a list, as the lines of a table; undefined for any other answer. */
export function matrixLines(answer: unknown, colors: Colors): string[] | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  const rows = Object.entries(answer);
  const lists = rows.flatMap(([, list]) => (Array.isArray(list) ? [list.map(String)] : []));
  const columns = [...new Set(lists.toSorted((one, other) => other.length - one.length).flat())];
  if (lists.length === 0 || columns.length === 0) return undefined;
  const width = Math.max(...rows.map(([name]) => name.length));
  const line = ([name, list]: [string, unknown]): string => {
    const cells = columns.map((column) => {
      const isListed = Array.isArray(list) && list.includes(column);
      return (isListed ? 'yes' : '·').padStart(column.length);
    });
    return `  ${name.padEnd(width)}  ${Array.isArray(list) ? cells.join('  ') : String(list)}`;
  };
  return [colors.dim(`  ${''.padEnd(width)}  ${columns.join('  ')}`), ...rows.map(line)];
}
