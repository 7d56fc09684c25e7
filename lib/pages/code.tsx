import type { Child } from 'hono/jsx';

/**
 * A command or a script, with a button that copies it. The button is hidden until the script of the page works.
 *
 * @param label what the button copies, for screen readers, such as `the script`.
 */
export const Copyable = ({ text, label }: { text: string; label: string }): Child => (
  <div class="code">
    <button type="button" data-copy hidden aria-label={`Copy ${label}`}>
      Copy
    </button>
    <pre tabindex={0} role="group" aria-label={label}>
      <code>{text}</code>
    </pre>
  </div>
);
