import type { Child } from 'hono/jsx';

/** Names with their values; those without a value are left out. */
export const Facts = ({
  facts,
}: {
  facts: readonly (readonly [name: string, value: Child | undefined])[];
}): Child => (
  <dl class="facts">
    {facts.map(([name, value]) => (value === undefined ? null : [<dt>{name}</dt>, <dd>{value}</dd>]))}
  </dl>
);
