import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Makes a folder and those above it. `mkdirSync` with `recursive` is not used: it never returns if the system answers
 * ENOENT for a folder whose parent is there, as for `/proc/x`.
 *
 * @throws Error with a code if that fails.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it in between.
    if (!isFolder(path)) throw error;
  }
}

/**
 * Makes a folder, and proves with a probe file that it is writable.
 *
 * @throws Error with a code if it is not.
 */
export function proveWritable(folder: string): void {
  makeFolder(folder);
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    writeFileSync(probe, 'x', { mode: 0o600 });
  } finally {
    rmSync(probe, { force: true });
  }
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const IN_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EEXIST: 'a file, a pipe or a dangling link has this name',
  EISDIR: 'a folder is in the place of a file',
  ELOOP: 'a link leads back to itself',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left',
  ENOTDIR: 'a part of the path is no folder',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
};

/** The cause of an error of the file system, such as `ENOSPC: no space is left`; undefined for any other error. */
export function fileProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const code = String(error.code);
  const isMade = error.syscall === 'mkdir';
  const words = code === 'ENOENT' && isMade ? 'a part of the path cannot be made' : IN_WORDS[code];
  return words === undefined ? code : `${code}: ${words}`;
}
