import pc from 'picocolors';
import { catalogue } from '../../suites/index.ts';
import { sectionsAskedBy, SPECIFICATION_DIGEST, type Sentence } from '../../suites/sentences.ts';
import { sectionTitle } from '../spec/sections.ts';

const COLUMNS = 100;

const sections = sectionsAskedBy(catalogue).map(({ section, sentences }) => ({
  section,
  title: sectionTitle(section),
  sentences,
}));
const sentences = sections.flatMap((section) => section.sentences);

/** Prints each sentence of the specification with the requirements that check it, or the reason why none does. */
export function listBySection(options: { readonly json?: boolean }): number {
  process.stdout.write(options.json === true ? data() : text(process.stdout.columns ?? COLUMNS));
  return 0;
}

function data(): string {
  return `${JSON.stringify({ specification: { sha256: SPECIFICATION_DIGEST }, sections }, null, 2)}\n`;
}

function text(columns: number): string {
  const parts = sections.map(({ section, title, sentences }) => {
    const margin = Math.max(...sentences.map(({ position }) => position.length)) + 4;
    const lines = sentences.flatMap((sentence) => [
      ...wrapped(sentence.says.split(' '), columns - margin).map(
        (line, at) => (at === 0 ? `  ${sentence.position}` : '').padEnd(margin) + line,
      ),
      ...fate(sentence, columns - margin).map((line) => ' '.repeat(margin) + line),
    ]);
    return `${pc.bold(`${section} ${title}`)}\n${lines.join('\n')}\n`;
  });
  const asked = sentences.filter((sentence) => sentence.asked !== undefined).length;
  return [
    ...parts,
    `${sentences.length} sentences: ${asked} checked, ${sentences.length - asked} not checked, each with its reason\n` +
      `SHA-256 of the specification: ${SPECIFICATION_DIGEST}\n`,
  ].join('\n');
}

function fate({ asked, notAsked = '' }: Sentence, width: number): string[] {
  return asked === undefined
    ? wrapped(['not', 'checked:', ...notAsked.split(' ')], width).map(pc.yellow)
    : wrapped(
        asked.map((id, at) => withLevel(id) + (at < asked.length - 1 ? ',' : '')),
        width,
      ).map(pc.green);
}

/** Marks a requirement that does not decide the verdict by itself. */
function withLevel(id: string): string {
  const level = catalogue.find((requirement) => requirement.id === id)?.level;
  return level === 'advisory' || level === 'open' ? `${id} (${level})` : id;
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
