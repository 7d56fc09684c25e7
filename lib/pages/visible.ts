import { harmless } from '../http/wording.ts';

/** Text for a page: control and bidirectional characters stand as escapes, line breaks and tabs as they are. */
export const visible = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : harmless(part)))
    .join('');
