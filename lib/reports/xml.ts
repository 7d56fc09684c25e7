/** An element of an XML document: with other elements, with text, or empty. */
export interface Element {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly content?: string | readonly Element[];
}

/** Characters that no document may hold (XML 1.0, 2.2), lone surrogates among them. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // The specification forbids it only in "]]>" (2.4).
  '>': '&gt;',
  '"': '&quot;',
};

/**
 * An XML document in UTF-8, with each element on a line of its own. Characters that XML forbids become U+FFFD.
 *
 * @param root names of elements and attributes are written as they are.
 */
export const xmlDocument = (root: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`;

function written({ name, attributes = {}, content = '' }: Element, indent: string): string {
  const start = Object.entries(attributes).reduce(
    (tag, [attribute, value]) => `${tag} ${attribute}="${escaped(String(value), /[&<>"]/g)}"`,
    `${indent}<${name}`,
  );
  if (content.length === 0) return `${start}/>`;
  if (typeof content === 'string') return `${start}>${escaped(content, /[&<>]/g)}</${name}>`;
  const children = content.map((child) => written(child, `${indent}  `));
  return [`${start}>`, ...children, `${indent}</${name}>`].join('\n');
}

const escaped = (text: string, special: RegExp): string =>
  text.replace(FORBIDDEN, '\uFFFD').replace(special, (char) => ENTITIES[char] ?? char);
