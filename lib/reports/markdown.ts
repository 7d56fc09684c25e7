import { harmless } from '../http/wording.ts';

/**
 * Text for Markdown that stays text: no markup, no HTML, and on GitHub and GitLab no mention of a user, no reference to
 * an issue and no link. The result is one line, and must not be put at the start of a line.
 */
export const plain = (text: string): string =>
  harmless(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~$]/g, String.raw`\$&`)
    // Mentions and references are found after the markup is read; an empty comment inside breaks them.
    .replace(/[@#]|:(?=\/\/)|\/(?=\/)|\bww(?=w\.)/g, '$&<!-- -->');

/** Text as code: between more backticks than it holds. In one line. */
export function code(text: string): string {
  const shown = harmless(text).replaceAll('|', '\\u007c');
  const ticks = fence(shown, 1);
  return `${ticks}${/^`|`$/.test(shown) ? ` ${shown} ` : shown}${ticks}`;
}

/** A link that shows its address. Characters that would end the link, and letters outside ASCII, are percent-encoded. */
export const linkTo = (address: string): string =>
  `<${new URL(address).href.replace(/[<>`\\|]/g, encodeURIComponent)}>`;

/** Lines as a block of code. */
export function block(lines: readonly string[], language = ''): string[] {
  const shown = lines.map(harmless);
  const ticks = fence(shown.join('\n'), 3);
  return [`${ticks}${language}`, ...shown, ticks];
}

function fence(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(Math.max(least, longest + 1));
}
