/** The source of a pattern that matches exactly this text. */
export const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A pattern that matches a text as a whole word. */
export const wordPattern = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${literalPattern(text)}(?![\\p{L}\\p{N}])`, 'u');
