import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;

/** Writes a file piece by piece under another name, and gives it its name when it is whole. */
export class DigestedFile {
  readonly #path: string;
  readonly #draft: string;
  readonly #file: number;
  readonly #digest = createHash('sha256');
  #waiting: string[] = [];
  #characters = 0;
  #bytes = 0;

  /** @throws Error with a code if the file cannot be made. */
  constructor(path: string) {
    this.#path = path;
    this.#draft = `${path}.${process.pid}.tmp`;
    this.#file = openSync(this.#draft, 'w');
  }

  write(text: string): void {
    this.#waiting.push(text);
    this.#characters += text.length;
    if (this.#characters >= CHUNK_BYTES) this.#flush();
  }

  /** @returns the length of the file and its SHA-256 in hexadecimal digits. */
  finish(): { readonly bytes: number; readonly sha256: string } {
    this.#flush();
    closeSync(this.#file);
    renameSync(this.#draft, this.#path);
    return { bytes: this.#bytes, sha256: this.#digest.digest('hex') };
  }

  discard(): void {
    closeSync(this.#file);
    rmSync(this.#draft, { force: true });
  }

  #flush(): void {
    const bytes = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#characters = 0;
    this.#digest.update(bytes);
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    this.#bytes += bytes.length;
  }
}
