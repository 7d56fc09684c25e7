import { describe, expect } from 'vitest';
import { sectionTitle } from '../spec/sections.ts';
import { catalogue } from '../../suites/index.ts';
import { sectionsAskedBy, SPECIFICATION_DIGEST } from '../../suites/sentences.ts';
import { test } from './user.test.double.ts';

const sections = sectionsAskedBy(catalogue);

const squeezed = (text: string): string => text.replace(/\s+/g, ' ');

describe.concurrent('list --by-section', () => {
  test('prints each sentence with the requirements that check it, or the reason why none does', async ({
    user,
  }) => {
    const { code, stdout, stderr } = await user.run(['list', '--by-section']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const levels = new Map(catalogue.map(({ id, level }) => [id, level]));
    const shown = squeezed(stdout);
    for (const { position, says, asked, notAsked } of sections.flatMap(({ sentences }) => sentences)) {
      const ids = asked?.map((id) => {
        const level = levels.get(id);
        return level === 'advisory' || level === 'open' ? `${id} (${level})` : id;
      });
      expect(shown).toContain(` ${position} ${says} ${ids?.join(', ') ?? `not checked: ${notAsked}`} `);
    }
    expect(shown).toContain(SPECIFICATION_DIGEST);
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('prints the same as JSON', async ({ user }) => {
    const { code, stdout } = await user.run(['list', '--by-section', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      specification: { sha256: SPECIFICATION_DIGEST },
      sections: sections.map((one) => ({ ...one, title: sectionTitle(one.section) })),
    });
  });

  test('covers the whole catalogue, so that it refuses --only', async ({ user }) => {
    const { code, stdout, stderr } = await user.run(['list', '--by-section', '--only', '4.2']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--only');
  });
});
