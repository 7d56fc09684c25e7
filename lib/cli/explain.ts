import pc from 'picocolors';
import { certification, connectTo } from '../certify.ts';
import { noLedger } from '../account/ledger.ts';
import type { Transport } from '../http/transport.ts';
import { harmless } from '../http/wording.ts';
import type { Requirement } from '../requirement.ts';
import { WHEN } from '../run/schedule.ts';
import { oneLine, wrapped } from '../reports/wrapping.ts';
import { nearest } from '../selection.ts';
import { readSettings } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { sectionName } from '../spec/sections.ts';
import { catalogue } from '../../suites/index.ts';
import { PROOFS } from '../../suites/proofs.ts';
import { saysOf } from '../../suites/sentences.ts';
import { screenOf } from './live.ts';
import { startedBy } from './started-by.ts';
import type { Targeted } from './targeted.ts';
import { withReference } from './with-reference.ts';

/** The most requests and defects that are shown, and the most characters of a body. */
const MOST_REQUESTS = 12;
const MOST_DEFECTS = 3;
const MOST_BODY = 50;

/** Wide enough for the name of each part. */
const MARGIN = '          ';

/** What a requirement means for the verdict, by its level. */
const WEIGHS: Readonly<Record<Requirement['level'], string>> = {
  required: 'The specification states it, so that a run fails without it.',
  derived: 'It follows from the specification, so that a run fails without it.',
  advisory: 'It is good practice: a run warns without it, and does not fail.',
  open: 'The specification leaves the answer open: a run observes it, and fails only where a declaration says otherwise.',
};

/**
 * Explains one requirement: its sentence, why and how it is checked, what proves that the check can fail, and what
 * usually causes the fault. Runs the check on the embedded reference server, so that it shows real requests.
 *
 * @throws SettingsError if there is no such requirement.
 */
export async function explain(id: string, isCheckout: boolean): Promise<number> {
  const requirement = catalogue.find((one) => one.id === id);
  if (requirement === undefined) throw new SettingsError(unknown(id));
  const { section, level, text, cause } = requirement;
  const { columns } = screenOf(false);
  // Requests are indented; each is cut to one line.
  const lines = (one: string, first: string): string[] =>
    one.startsWith('  ')
      ? [`${MARGIN}${oneLine(one, columns - MARGIN.length)}`]
      : wrapped(one, columns, first, MARGIN);
  const part = (name: string, ...texts: readonly string[]): string =>
    texts
      .flatMap((one, at) => lines(one, at === 0 ? name.padEnd(MARGIN.length) : MARGIN))
      .map((line, at) =>
        at === 0 ? pc.bold(line.slice(0, MARGIN.length)) + line.slice(MARGIN.length) : line,
      )
      .join('\n');
  const parts = [
    `${pc.bold(id)} (${sectionName(section)}, ${level})\n${wrapped(text, columns, '  ', '  ').join('\n')}`,
    part('Why', ...whyOf(requirement)),
    part('Checked', ...(await askedBy(requirement))),
    part('Proved', ...provedBy(id)),
    ...(cause === undefined ? [] : [part('Usually', cause)]),
    part('Run it', `${startedBy(isCheckout)} --only ${id}${effortFlag(requirement)}`),
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  return 0;
}

function unknown(id: string): string {
  const ids = catalogue.map((one) => one.id);
  const guess = nearest(id, ids);
  const topic = `${id.split('/')[0]}/`;
  const ofTopic = ids.filter((one) => one.startsWith(topic));
  const where =
    guess !== undefined
      ? `Did you mean ${guess}?`
      : ofTopic.length > 0
        ? `Those of ${topic} are: ${ofTopic.join(', ')}.`
        : 'The command list prints all ids.';
  return `${JSON.stringify(id)} is not the id of a requirement. ${where}`;
}

const effortFlag = ({ effort }: Requirement): string => (effort === 'thorough' ? ` --effort ${effort}` : '');

function whyOf(requirement: Requirement): string[] {
  const { section, says } = saysOf(requirement);
  return [
    `Specification ${section}: ${says}`,
    ...(requirement.level === 'derived' ? [requirement.derivation] : []),
    WEIGHS[requirement.level],
    ...(requirement.level === 'open'
      ? [
          `A declaration names the answer ${requirement.question.key}; declaration.schema.json lists its forms.`,
        ]
      : []),
  ];
}

function provedBy(id: string): string[] {
  const defects = PROOFS[id] ?? [];
  return defects.length === 0
    ? ['by servers that answer it in different ways, which the check must observe correctly.']
    : [
        'by servers with one defect each, which the check must find:',
        ...defects.slice(0, MOST_DEFECTS).map((defect) => `- ${defect}`),
      ];
}

async function askedBy(requirement: Requirement): Promise<string[]> {
  const { when = 'main', effort = 'quick', tags = 0, logins = 0, watch, signs } = requirement;
  const costs = [
    ...(tags === 0 ? [] : [`has up to ${tags} ${tags === 1 ? 'tag' : 'tags'} at a time`]),
    ...(logins === 0 ? [] : [`sends up to ${logins} ${logins === 1 ? 'login' : 'logins'}`]),
  ];
  const requests = await requestsOf(requirement);
  return [
    `${WHEN[when]}, ${effort === 'quick' ? 'at every effort' : `with the effort ${effort}${effort === 'thorough' ? '' : ' and above'}`}${costs.length === 0 ? '.' : `; it ${costs.join(' and ')}.`}`,
    ...(watch === undefined ? [] : ['It looks at every exchange of the run.']),
    ...(signs === undefined ? [] : [`Every other check may notice the fault, too (${signs.join(', ')}).`]),
    ...(requests.length === 0
      ? []
      : [
          'On the reference server it sends:',
          ...requests.slice(0, MOST_REQUESTS).map((line) => `  ${line}`),
        ]),
    ...(requests.length > MOST_REQUESTS ? [`  and ${requests.length - MOST_REQUESTS} more`] : []),
  ];
}

/** The exchanges of the check itself, in brief, as a run on the embedded reference sends them. */
async function requestsOf(requirement: Requirement): Promise<string[]> {
  const lines: string[] = [];
  let isAsking = false;
  const asked: Requirement = {
    ...requirement,
    check: async (target) => {
      isAsking = true;
      try {
        return await requirement.check(target);
      } finally {
        isAsking = false;
      }
    },
  };
  const settings = readSettings({
    flags: { CONFORMANCE_EFFORT: requirement.effort ?? 'quick' },
    environment: {},
    envFile: '',
  });
  await withReference(settings, async (targeted) => {
    const noting = noted(targeted, (line) => void (isAsking && lines.push(line)));
    await certification({
      settings: targeted,
      selected: [asked],
      transport: noting,
      ledger: noLedger,
    }).report();
    return 0;
  });
  return lines;
}

const shortened = (text: string): string =>
  text.length > MOST_BODY ? `${text.slice(0, MOST_BODY)}...` : text;

/** Connections to a target that report each exchange, without passwords and tokens. */
function noted(settings: Targeted, tell: (line: string) => void): Transport {
  const transport = connectTo(settings);
  const brief = (body: string | Uint8Array): string =>
    shortened(
      Buffer.from(body)
        .toString()
        .replace(/("(?:access_token|password)": *")[^"]*/g, '$1...'),
    );
  return {
    send: async (wire, timeoutMs) => {
      const came = await transport.send(wire, timeoutMs);
      const answer = 'kind' in came ? came.message : `${came.status} ${brief(came.bytes)}`;
      const body = wire.body === undefined ? '' : ` ${brief(wire.body)}`;
      tell(harmless(`${wire.method} ${wire.path}${body} -> ${answer}`));
      return came;
    },
    close: () => transport.close(),
  };
}
