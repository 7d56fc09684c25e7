/**
 * Breaks a text into lines between words. A word that is longer than a line, such as an address, is broken as well.
 *
 * @param width the most characters of a line, with what stands before it.
 * @param first what stands before the first line.
 * @param next what stands before the other lines; by default as many blanks.
 */
export function wrapped(text: string, width: number, first = '', next = ' '.repeat(first.length)): string[] {
  const lines: string[] = [];
  let start = first;
  let words: string[] = [];
  const room = (): number =>
    width - [start, ...words].reduce((all, one) => all + [...one].length, words.length);
  const end = (): void => {
    lines.push((start + words.join(' ')).trimEnd());
    start = next;
    words = [];
  };
  for (const word of text.split(' ')) {
    if (words.length > 0 && [...word].length > room()) end();
    let rest = [...word];
    while (rest.length > room() && room() > 0) {
      words.push(rest.splice(0, room()).join(''));
      end();
    }
    words.push(rest.join(''));
  }
  end();
  return lines;
}

/** A text as one line, cut if it is longer. */
export const oneLine = (text: string, width: number): string =>
  [...text].length > width ? `${[...text].slice(0, width - 1).join('')}…` : text;
