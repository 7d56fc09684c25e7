import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Licences that permit distributing copies together with the licence text. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

const FILE = 'THIRD-PARTY-LICENSES.txt';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * Writes the names, versions and licences of all packages whose code is in the bundle, as their licences demand.
 *
 * @throws Error where the licence of one is not permissive, or has no text.
 */
export const thirdParty = (): Plugin => ({
  name: 'third-party',
  generateBundle(_options, bundle) {
    const folders = new Set(
      Object.values(bundle)
        .flatMap((output) => (output.type === 'chunk' ? Object.keys(output.modules) : []))
        .flatMap((id) => packageOf(id) ?? []),
    );
    const parts = [...folders].toSorted().map(licenceOf);
    const source = `This package contains code of the packages below.\n\n${parts.join('\n')}`;
    this.emitFile({ type: 'asset', fileName: FILE, source });
  },
});

/** The folder of the package that a module belongs to; undefined for modules of this project. */
function packageOf(id: string): string | undefined {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id.replace(/^\0/, '')) ?? [];
  return folder;
}

function licenceOf(folder: string): string {
  const {
    name,
    version,
    license = 'none',
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  if (!PERMISSIVE.includes(license))
    throw new Error(
      `${name} ${version} has the licence ${license}, which is not one of ${PERMISSIVE.join(', ')}.`,
    );
  return `${'='.repeat(80)}\n${name} ${version}, ${license}\n\n${textIn(folder)}\n`;
}

/** The text of the licence. Packages of one repository may have it only in the folder of another one of them. */
function textIn(folder: string): string {
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.|-|$)/i.test(one));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim();
  const readme = join(folder, 'README.md');
  const [section] = existsSync(readme)
    ? (/^#+ *licen[cs]e\b.*/ims.exec(readFileSync(readme, 'utf8')) ?? [])
    : [];
  if (section !== undefined) return section.trim();
  throw new Error(`${dirname(folder)} has a package without the text of its licence: ${folder}.`);
}
