import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileProblem, isFolder } from '../folder.ts';
import { textIn } from '../given-file.ts';
import { SettingsError } from '../settings-error.ts';
import type { Read } from './subjects.ts';

export const CERTIFICATE_FILE = 'certificate.json';

/** The text of a certificate, and what lies beside it. */
export interface OnDisk {
  readonly path: string;
  readonly text: string;
  readonly read: Read;
}

/**
 * Reads a certificate.
 *
 * @param path the file, or a folder with `certificate.json`.
 * @throws SettingsError if it cannot be read.
 */
export function readCertificate(path: string): OnDisk {
  const file = isFolder(path) ? join(path, CERTIFICATE_FILE) : path;
  return { path: file, text: textIn(file, `The certificate ${file}`), read: beside(dirname(file)) };
}

/** Reads the files of a folder by their names. A file that cannot be read counts as missing. */
export const beside =
  (folder: string): Read =>
  (name) => {
    try {
      return readFileSync(join(folder, name));
    } catch (error) {
      if (fileProblem(error) === undefined) throw error;
      return undefined;
    }
  };

/**
 * The paths of all certificates below a folder, in order.
 *
 * @throws SettingsError if it is no folder, cannot be read, or has none.
 */
export function certificatesBelow(folder: string): string[] {
  let found: string[];
  try {
    if (!statSync(folder).isDirectory())
      throw new SettingsError(`collect is expected to be given a folder; ${folder} is a file.`);
    found = readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name === CERTIFICATE_FILE)
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('node_modules'))
      .toSorted();
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    throw new SettingsError(`The folder ${folder} cannot be read (${problem}).`, { cause: error });
  }
  if (found.length > 0) return found;
  throw new SettingsError(`There is no ${CERTIFICATE_FILE} in ${folder} or in a folder below it.`);
}
