import { readFileSync } from 'node:fs';
import { fileProblem } from './folder.ts';
import { SettingsError } from './settings-error.ts';

/**
 * The text of a file that the user named.
 *
 * @param what names the file in the message, such as `The declaration answers.json`.
 * @param todo what the user should do.
 * @throws SettingsError if the file cannot be read.
 */
export function textIn(file: string, what: string, todo?: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    const advice = todo === undefined ? '' : `; ${todo}`;
    throw new SettingsError(`${what} cannot be read (${problem})${advice}.`, { cause: error });
  }
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
