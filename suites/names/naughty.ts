import list from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };

/** The Big List of Naughty Strings by Max Woolf: strings that have made programs fail. The empty one is left out. */
export const NAUGHTY: readonly string[] = [...new Set(list)].filter((text) => text !== '');
