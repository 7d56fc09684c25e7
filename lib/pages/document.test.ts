import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { documentOf } from './document.tsx';

const policyOf = (html: string): string =>
  /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'") ?? '';

const digest = (text: string | undefined): string =>
  `'sha256-${createHash('sha256')
    .update(text ?? '')
    .digest('base64')}'`;

describe('every page', () => {
  test('permits its own style and script by their digests, and nothing else', () => {
    const html = documentOf('a title', 'text', 'let a = "<b>" && 1;');
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1];
    const script = /<script>([^]*?)<\/script>/.exec(html)?.[1];
    expect(script).toBe('let a = "<b>" && 1;');
    expect(policyOf(html).split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${digest(style)}`,
      `script-src ${digest(script)}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test('without a script permits none', () => {
    const html = documentOf('a title', 'text');
    expect(html).not.toContain('<script');
    expect(policyOf(html)).toContain("script-src 'none'");
  });

  test('escapes its title and its text', () => {
    const html = documentOf('</title><b>', '</main><script>x</script>');
    expect(html).toContain('<title>&lt;/title&gt;&lt;b&gt;</title>');
    expect(html).toContain('&lt;/main&gt;&lt;script&gt;x&lt;/script&gt;</main>');
  });
});
