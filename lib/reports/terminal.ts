import type { Colors } from 'picocolors/types.js';
import { harmless, quote } from '../http/wording.ts';
import { VERDICTS, type Verdict } from '../judging/judge.ts';
import { bySection, sectionName } from '../spec/sections.ts';
import { inBrief, repeatLines } from './brief.ts';
import type { Report, ReportedRequirement } from './schema.ts';

const MARK: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  warn: 'warn',
  observed: 'seen',
  inapplicable: 'n/a',
  skipped: 'skip',
  error: 'ERROR',
};

/** One line for a requirement as soon as its verdict is known. */
export function progressLine(
  { id, verdict }: Pick<ReportedRequirement, 'id' | 'verdict'>,
  colors: Colors,
): string {
  return `${painted(verdict, MARK[verdict].padEnd(5), colors)} ${id}`;
}

/** The whole report for people, as lines. Someone who never saw the specification should understand it. */
export function terminalReport(report: Report, files: readonly string[], colors: Colors): string {
  const of = (verdict: Verdict): ReportedRequirement[] =>
    report.requirements.filter((one) => one.verdict === verdict);
  const parts = [
    table(report, colors),
    ...answersSection(report, colors),
    ...obstacleSection(report, colors),
    ...section('Failures', of('fail'), colors),
    ...section('Warnings', of('warn'), colors),
    ...undecidedSection(report, of('error'), colors),
    ...residueSection(report, colors),
    ...inventorySection(report, colors),
    footer(report, files, colors),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A row a section, a column a verdict; columns that nothing stands in are left out. */
function table({ requirements }: Report, colors: Colors): string {
  const sections = [...new Set(requirements.map(({ section }) => section))].toSorted(bySection);
  const shown = VERDICTS.filter((verdict) => requirements.some((one) => one.verdict === verdict));
  const width = Math.max(...sections.map((section) => sectionName(section).length), 'section'.length);
  const row = (name: string, members: readonly ReportedRequirement[]): string => {
    const cells = shown.map((verdict) => {
      const number = members.filter((one) => one.verdict === verdict).length;
      const cell = (number === 0 ? '·' : String(number)).padStart(verdict.length);
      return number === 0 ? colors.dim(cell) : painted(verdict, cell, colors);
    });
    return `  ${name.padEnd(width)}  ${cells.join('  ')}`;
  };
  return [
    colors.dim(`  ${'section'.padEnd(width)}  ${shown.join('  ')}`),
    ...sections.map((section) =>
      row(
        sectionName(section),
        requirements.filter((one) => one.section === section),
      ),
    ),
    row('all', requirements),
  ].join('\n');
}

/** What the specification leaves open, and what this target does about it: the scopes as a table, the rest as sentences. */
function answersSection({ requirements }: Report, colors: Colors): string[] {
  const answered = requirements.filter(({ answer }) => answer !== undefined);
  if (answered.length === 0) return [];
  const lines = answered.flatMap(({ answer, said = '', declared }) => {
    const claim = declared === undefined ? '' : colors.dim(' (declared)');
    return matrix(answer, colors) ?? [`  ${harmless(said)}${claim}`];
  });
  return [[colors.bold('Left open by the specification, and seen here'), ...lines].join('\n')];
}

/** An answer that gives a list for each of several things, as a table; undefined where it is another one. */
function matrix(answer: unknown, colors: Colors): string[] | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  const rows = Object.entries(answer);
  const lists = rows.flatMap(([, list]) => (Array.isArray(list) ? [list.map(String)] : []));
  const columns = [...new Set(lists.toSorted((one, other) => other.length - one.length).flat())];
  if (lists.length === 0 || columns.length === 0) return undefined;
  const width = Math.max(...rows.map(([name]) => name.length));
  const line = ([name, list]: [string, unknown]): string => {
    const cells = columns.map((column) => {
      const permitted = Array.isArray(list) && list.includes(column);
      return (permitted ? 'yes' : '·').padStart(column.length);
    });
    return `  ${name.padEnd(width)}  ${Array.isArray(list) ? cells.join('  ') : String(list)}`;
  };
  return [colors.dim(`  ${''.padEnd(width)}  ${columns.join('  ')}`), ...rows.map(line)];
}

/** What stood in the way of everything comes first: the rest may be its consequence. */
function obstacleSection({ obstacle }: Report, colors: Colors): string[] {
  if (obstacle === undefined) return [];
  const [exchange] = obstacle.exchanges;
  const shown =
    exchange === undefined
      ? []
      : [
          ...inBrief(exchange).map((text, at) => `     ${at === 0 ? '>' : '<'} ${text}`),
          ...repeatLines(exchange).map((text) => `     ${text}`),
        ];
  const lines = [
    `${colors.bold(`The preflight could not ${obstacle.step}`)}, which much of the rest follows from.`,
    `     ${harmless(obstacle.why)}`,
    ...shown,
  ];
  return [lines.join('\n')];
}

function section(title: string, found: readonly ReportedRequirement[], colors: Colors): string[] {
  return found.length === 0 ? [] : [colors.bold(title), ...found.map((one) => finding(one, colors))];
}

function finding(one: ReportedRequirement, colors: Colors): string {
  const { exchanges } = one;
  const shown = exchanges[0];
  const lines = [
    `${painted(one.verdict, MARK[one.verdict], colors)} ${colors.bold(one.id)} ${colors.dim(`(section ${one.section}, ${one.level})`)}`,
    `     ${one.text}`,
    `     ${painted(one.verdict, harmless(one.reason), colors)}`,
  ];
  if (one.example !== undefined) {
    const [first = '', ...more] = one.example.told.split('\n').map(harmless);
    lines.push(`     The smallest case found: ${first}`, ...more.map((line) => `       ${line}`));
    lines.push(`     Just this case: ${harmless(one.example.repeat)}`);
  }
  const { asked = 0, failed = 0 } = one.steadiness ?? {};
  if (failed < asked)
    lines.push(
      painted('warn', `     Intermittent: asked ${asked} times, it failed ${failed} times.`, colors),
    );
  if (one.derivation !== undefined) lines.push(colors.dim(`     Why: ${one.derivation}`));
  if (one.cause !== undefined) lines.push(colors.dim(`     Often: ${one.cause}`));
  for (const exchange of exchanges.slice(0, 3)) {
    const [sent, came] = inBrief(exchange);
    lines.push(colors.dim(`     > ${sent}`), colors.dim(`     < ${came}`));
  }
  if (exchanges.length > 3) lines.push(colors.dim(`     (${exchanges.length - 3} more in report.json)`));
  if (shown !== undefined) lines.push(...repeatLines(shown).map((text) => `     ${text}`));
  return lines.join('\n');
}

/** What could not be decided, grouped by its cause: one obstacle is one line, not a wall of red. */
function undecidedSection(report: Report, errors: readonly ReportedRequirement[], colors: Colors): string[] {
  const parts: string[] = [];
  if (report.fault !== undefined) {
    parts.push(
      `${colors.bold('A fault of the suite')}\n     This is a defect of the suite, not of the target; please report it.\n     ${report.fault.split('\n').slice(0, 6).map(harmless).join('\n     ')}`,
    );
  }
  const causes = [...new Set(errors.map(({ reason }) => reason))];
  if (causes.length === 0) return parts;
  parts.push(colors.bold('Not decided'));
  for (const cause of causes) {
    const ids = errors.filter(({ reason }) => reason === cause).map(({ id }) => id);
    const brief = errors.find(({ reason }) => reason === cause)?.exchanges[0];
    const named =
      ids.length <= 4 ? ids.join(', ') : `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more`;
    // What the preflight ran into has been told already.
    const told = report.obstacle !== undefined && cause.includes(report.obstacle.why);
    const why = told
      ? `For the reason above: the preflight could not ${report.obstacle?.step}`
      : harmless(cause);
    const lines = [painted('error', why, colors), `     ${named}`];
    if (brief !== undefined && !told)
      lines.push(...inBrief(brief).map((text, at) => colors.dim(`     ${at === 0 ? '>' : '<'} ${text}`)));
    parts.push(lines.join('\n'));
  }
  return parts;
}

function residueSection({ residue }: Report, colors: Colors): string[] {
  if (residue.length === 0) return [];
  const lines = residue.map(({ name, tag_id: tagId, why, curl }) =>
    [
      `     ${quote(name)}${tagId === undefined ? '' : ` (${harmless(tagId)})`}: ${harmless(why)}`,
      ...(curl === undefined ? [] : [`     ${harmless(curl)}`]),
    ].join('\n'),
  );
  return [
    `${colors.bold(`Left on the target: ${residue.length} of the tags of this run`)}\n${lines.join('\n')}`,
  ];
}

function inventorySection({ inventory }: Report, colors: Colors): string[] {
  if (inventory === undefined) return [];
  const { before, gone, changed, addressed } = inventory;
  const fate =
    gone + changed === 0
      ? 'all are as they were'
      : `${gone} are gone and ${changed} have another name, which may be the doing of others`;
  const touched =
    addressed === 0
      ? 'none was named in a write of this run'
      : `${addressed} were named in writes of this run`;
  return [colors.dim(`${before} tags of others were listed before the run: ${fate}, and ${touched}.`)];
}

function footer(report: Report, files: readonly string[], colors: Colors): string {
  const { traffic, planned } = report;
  const partial = report.partial
    ? `, partial: ${report.untested} required or derived requirements were not tested`
    : '';
  const ended = report.ended === 'whole' ? '' : ` (${report.ended})`;
  const paint =
    report.verdict === 'conforming'
      ? colors.green
      : report.verdict === 'inconclusive'
        ? colors.yellow
        : colors.red;
  const seconds = (report.durationMs / 1_000).toFixed(1);
  const waited =
    traffic.waitedMs > 0 ? `, ${(traffic.waitedMs / 1_000).toFixed(1)} s of waiting as the target asked` : '';
  return [
    `${colors.bold(paint(report.verdict))}${partial}${ended}: ${report.target}`,
    colors.dim(
      `${traffic.requests} requests (at most ${planned.requests}), ${traffic.writes} writes (${planned.writes}), ${traffic.logins} logins (${planned.logins}), ${traffic.failedLogins} of them failed (${planned.failedLogins})`,
    ),
    colors.dim(`${seconds} s${waited}, effort ${report.effort}, seed ${report.seed}`),
    colors.dim(files.join(', ')),
  ].join('\n');
}

function painted(verdict: Verdict, text: string, colors: Colors): string {
  switch (verdict) {
    case 'pass':
      return colors.green(text);
    case 'fail':
      return colors.red(text);
    case 'warn':
    case 'error':
      return colors.yellow(text);
    case 'observed':
      return colors.cyan(text);
    case 'inapplicable':
    case 'skipped':
      return colors.dim(text);
  }
}
