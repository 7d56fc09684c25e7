import list from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };

/** The Big List of Naughty Strings by Max Woolf: what is known to have upset programs. Without the empty one. */
export const NAUGHTY: readonly string[] = [...new Set(list)].filter((text) => text !== '');
