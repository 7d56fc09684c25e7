/** Every small letter once, in no order that a word or a keyboard has. */
const LETTERS = 'qmzkxwjvbyfpgtchdlnruasoei';

/** This many letters, no two alike side by side: a target may refuse a name that repeats one letter. */
export const variedLetters = (count: number): string =>
  LETTERS.repeat(Math.ceil(Math.max(0, count) / LETTERS.length)).slice(0, Math.max(0, count));
