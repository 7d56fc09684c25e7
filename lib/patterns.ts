/** The source of a pattern that matches a text and nothing else. */
export const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A pattern that matches a text where it stands as a word of its own. */
export const wordPattern = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${literalPattern(text)}(?![\\p{L}\\p{N}])`, 'u');
