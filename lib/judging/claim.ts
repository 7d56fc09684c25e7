/** Whether an observed answer agrees with the declared one. Members of an object that are not declared do not count. */
export function agrees(declared: unknown, seen: unknown): boolean {
  if (Array.isArray(declared) || Array.isArray(seen)) {
    return (
      Array.isArray(declared) &&
      Array.isArray(seen) &&
      declared.length === seen.length &&
      declared.every((item, at) => agrees(item, seen[at]))
    );
  }
  if (isObject(declared) && isObject(seen)) {
    return Object.entries(declared).every(([name, value]) => agrees(value, seen[name]));
  }
  return declared === seen;
}

/** One clause that names the first difference between a declared answer and the observed one, with both. */
export function contradiction(key: string, declared: unknown, seen: unknown): string {
  if (isObject(declared) && isObject(seen)) {
    const wrong = Object.entries(declared).find(([name, value]) => !agrees(value, seen[name]));
    if (wrong !== undefined) return contradiction(`${key}.${wrong[0]}`, wrong[1], seen[wrong[0]]);
  }
  return `${key} is declared as ${inWords(declared)}, but ${inWords(seen)} was seen`;
}

/** An answer in one line: words and numbers as they are, lists and members separated by commas. */
export function inWords(answer: unknown): string {
  if (Array.isArray(answer)) return answer.length === 0 ? 'nothing' : answer.map(inWords).join(', ');
  if (isObject(answer)) {
    return Object.entries(answer)
      .map(([name, value]) => `${name} ${inWords(value)}`)
      .join(', ');
  }
  if (answer === undefined) return 'nothing';
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
