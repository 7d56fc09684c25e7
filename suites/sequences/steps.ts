/** One step of a case. Tags are counted from 0 in the order in which they are created, names from 0. */
export type Step =
  | { readonly do: 'create'; readonly name: number }
  | { readonly do: 'rename'; readonly tag: number; readonly name: number }
  | { readonly do: 'delete'; readonly tag: number }
  | { readonly do: 'list' }
  | { readonly do: 'filter'; readonly name: number };

/** Stands for a tag that never was. */
export const NEVER = -1;

/** Few, so that names come again, meet, and change places. */
export const NAMES = 3;

/** The most tags that a case has at once. */
export const TAGS = 3;

/**
 * A case without some of its steps. Where a create is left out, so is everything that is done with its tag; tags and
 * names are counted anew.
 */
export function without(steps: readonly Step[], from: number, count: number): readonly Step[] {
  const isOut = (at: number): boolean => at >= from && at < from + count;
  const tags = new Map<number, number | undefined>([[NEVER, NEVER]]);
  let created = 0;
  let kept = 0;
  for (const [at, step] of steps.entries()) {
    if (step.do === 'create') tags.set(created++, isOut(at) ? undefined : kept++);
  }
  const left = steps.flatMap((step, at): readonly Step[] => {
    if (isOut(at)) return [];
    if (!('tag' in step)) return [step];
    const tag = tags.get(step.tag);
    return tag === undefined ? [] : [{ ...step, tag }];
  });
  return renamed(left);
}

/** The same case with its names counted in the order of their use. */
export function renamed(steps: readonly Step[]): readonly Step[] {
  const names = new Map<number, number>();
  const numberOf = (name: number): number => {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  };
  return steps.map((step) => ('name' in step ? { ...step, name: numberOf(step.name) } : step));
}

export const nameOf = (name: number): string => String.fromCharCode('A'.charCodeAt(0) + name);
const tagOf = (tag: number): string => (tag === NEVER ? 'a tag that never was' : `tag ${tag + 1}`);

/** A step as a person would say it. */
export function tellStep(step: Step): string {
  switch (step.do) {
    case 'create':
      return `create ${nameOf(step.name)}`;
    case 'rename':
      return `rename ${tagOf(step.tag)} to ${nameOf(step.name)}`;
    case 'delete':
      return `delete ${tagOf(step.tag)}`;
    case 'list':
      return 'list';
    case 'filter':
      return `filter by ${nameOf(step.name)}`;
  }
}

/** A case as numbered steps. */
export const tell = (steps: readonly Step[]): string =>
  steps.map((step, at) => `${at + 1}. ${tellStep(step)}`).join('\n');
