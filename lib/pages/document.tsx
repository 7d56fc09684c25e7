import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import { STYLE } from './style.ts';
import { visible } from './visible.ts';

/**
 * One HTML file that needs nothing else. It contains its style and its script, and its Content-Security-Policy permits
 * only these two, by their digests. Whatever text of a target is in it, the page loads nothing and runs nothing else.
 *
 * @param body the content of `main`. The library escapes every text in it; control and bidirectional characters become
 * readable escapes.
 * @param script JavaScript of this suite; by default none. The page must be complete without it: some servers of CI
 * artefacts forbid scripts.
 */
export function documentOf(title: string, body: Child, script = ''): string {
  const policy = [
    "default-src 'none'",
    `style-src ${digest(STYLE)}`,
    script === '' ? "script-src 'none'" : `script-src ${digest(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{visible(title)}</title>
        <link rel="icon" href="data:," />
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <main id="content">{raw(visible(((<>{body}</>) as HtmlEscapedString).toString()))}</main>
        {script === '' ? null : <script>{raw(script)}</script>}
      </body>
    </html>
  );
  return `<!DOCTYPE html>\n${(page as HtmlEscapedString).toString()}\n`;
}

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
