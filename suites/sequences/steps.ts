/** One step of a case. Tags are numbered from 0 in the order of their creates, names from 0. */
export type Step =
  | { readonly do: 'create'; readonly name: number }
  | { readonly do: 'rename'; readonly tag: number; readonly name: number }
  | { readonly do: 'delete'; readonly tag: number }
  | { readonly do: 'list' }
  | { readonly do: 'filter'; readonly name: number };

/** The number of a tag that never existed. */
export const NEVER_MADE = -1;

/** The number of names in a case. It is small, so that tags get names that other tags have had. */
export const NAME_COUNT = 3;

/** The most tags that a case has at once. */
export const MOST_TAGS = 3;

/**
 * A case without some of its steps. If a create is left out, so are all later steps for its tag. The remaining tags and
 * names are renumbered.
 */
export function withoutSteps(steps: readonly Step[], from: number, count: number): readonly Step[] {
  const isLeftOut = (at: number): boolean => at >= from && at < from + count;
  const tags = new Map<number, number | undefined>([[NEVER_MADE, NEVER_MADE]]);
  let created = 0;
  let kept = 0;
  for (const [at, step] of steps.entries()) {
    if (step.do === 'create') tags.set(created++, isLeftOut(at) ? undefined : kept++);
  }
  const left = steps.flatMap((step, at): readonly Step[] => {
    if (isLeftOut(at)) return [];
    if (!('tag' in step)) return [step];
    const tag = tags.get(step.tag);
    return tag === undefined ? [] : [{ ...step, tag }];
  });
  return withNamesInOrder(left);
}

/** The same case with its names numbered in the order of their use. */
export function withNamesInOrder(steps: readonly Step[]): readonly Step[] {
  const names = new Map<number, number>();
  const numberOf = (name: number): number => {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  };
  return steps.map((step) => ('name' in step ? { ...step, name: numberOf(step.name) } : step));
}

/** The letter that stands for a name in the text of a case. */
export const letterOf = (name: number): string => String.fromCharCode('A'.charCodeAt(0) + name);
const tagOf = (tag: number): string => (tag === NEVER_MADE ? 'a tag that never existed' : `tag ${tag + 1}`);

/** A step in words. */
export function describeStep(step: Step): string {
  switch (step.do) {
    case 'create':
      return `create ${letterOf(step.name)}`;
    case 'rename':
      return `update ${tagOf(step.tag)} to ${letterOf(step.name)}`;
    case 'delete':
      return `delete ${tagOf(step.tag)}`;
    case 'list':
      return 'list';
    case 'filter':
      return `filter by ${letterOf(step.name)}`;
  }
}

/** A case in words, as numbered lines. */
export const describeSteps = (steps: readonly Step[]): string =>
  steps.map((step, at) => `${at + 1}. ${describeStep(step)}`).join('\n');
