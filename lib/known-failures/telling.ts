import type { KnownFailure } from './list.ts';

/** An entry without its link, in one line: the reason and the last day, as far as they are given. */
export const entryText = ({ reason, until }: Omit<KnownFailure, 'id'>): string =>
  [
    `known failure${reason === undefined ? '' : `: ${reason}`}`,
    ...(until === undefined ? [] : [`accepted until ${until}`]),
  ].join('; ');

/** An entry in one line, for a place that shows no links. */
export const entryLine = (entry: Omit<KnownFailure, 'id'>): string =>
  [entryText(entry), ...(entry.link === undefined ? [] : [entry.link])].join('; ');
