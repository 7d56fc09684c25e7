import { harmless } from '../http/wording.ts';

/** Text for a page: control and bidirectional characters are escaped, line breaks and tabs are kept. */
export const visible = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : harmless(part)))
    .join('');
