import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The name and version of this suite, and its folder, from the nearest package.json above this file. Its depth differs
 * between the sources and the build.
 */
export const SUITE: { readonly name: string; readonly version: string; readonly folder: string } = (() => {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    try {
      const { name, version } = JSON.parse(
        readFileSync(new URL('package.json', folder), 'utf8'),
      ) as typeof SUITE;
      return { name, version, folder: fileURLToPath(folder) };
    } catch (error) {
      // The topmost folder is its own parent. On Windows its path has a letter in front.
      if (new URL('..', folder).href === folder.href) throw error;
    }
  }
})();
