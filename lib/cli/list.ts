import pc from 'picocolors';
import { select } from '../selection.ts';
import { catalogue, suites } from '../../suites/index.ts';
import { listBySection } from './by-section.ts';

export interface ListFlags {
  readonly only?: readonly string[];
  readonly bySection?: boolean;
  readonly json?: boolean;
}

/** Prints the catalogue by topic, by section of the specification, or as JSON. */
export function list(options: ListFlags): number {
  if (options.bySection === true) return listBySection(options);
  const { selected } = select(catalogue, options.only ?? []);
  if (options.json === true) {
    const plain = selected.map(({ check: _check, watch: _watch, ...rest }) => rest);
    process.stdout.write(`${JSON.stringify(plain, null, 2)}\n`);
    return 0;
  }
  for (const { topic, requirements } of suites) {
    const shown = requirements.filter((requirement) => selected.includes(requirement));
    if (shown.length === 0) continue;
    process.stdout.write(`${pc.bold(topic)}\n`);
    for (const { id, section, level, text } of shown) {
      process.stdout.write(`  ${id.padEnd(34)} ${section.padEnd(4)} ${level.padEnd(9)} ${text}\n`);
    }
  }
  process.stdout.write(`\n${selected.length} requirements\n`);
  return 0;
}
