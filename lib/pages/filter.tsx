import type { Child } from 'hono/jsx';

/** Values to choose one of. Rows that have it as their `data-` attribute of this name are shown. */
interface Choice {
  readonly name: string;
  readonly values: readonly string[];
  readonly nameOf?: (value: string) => string;
}

/**
 * A filter of the rows of a page, by words and by choices. Rows are the elements with `data-row`; an element with `data-group`
 * goes with its last row. The form is hidden until the script of the page works.
 *
 * @param label what is filtered, for screen readers.
 */
export const Filter = ({ label, choices }: { label: string; choices: readonly Choice[] }): Child => (
  <form class="filter" hidden role="search" aria-label={label}>
    <label class="words">
      Words
      <input type="search" name="words" autocomplete="off" />
    </label>
    {choices.map(({ name, values, nameOf = (value: string): string => value }) => (
      <label>
        {`${name.charAt(0).toUpperCase()}${name.slice(1)}`}
        <select name={name}>
          <option value="">any</option>
          {values.map((value) => (
            <option value={value}>{nameOf(value)}</option>
          ))}
        </select>
      </label>
    ))}
    <button type="reset">Show all</button>
    <p role="status" class="quiet"></p>
  </form>
);
