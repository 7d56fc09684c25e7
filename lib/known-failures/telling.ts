import type { KnownFailure } from './list.ts';

/** An entry in one line: the reason, the last day and the link, as far as they are given. */
export function entryLine({ reason, until, link }: Omit<KnownFailure, 'id'>): string {
  return [
    `known failure${reason === undefined ? '' : `: ${reason}`}`,
    ...(until === undefined ? [] : [`accepted until ${until}`]),
    ...(link === undefined ? [] : [link]),
  ].join('; ');
}
