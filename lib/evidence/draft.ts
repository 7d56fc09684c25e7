import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

/** How much text is collected before it is written. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Lines of text on disk, which can be read back one by one. Only their places are kept in memory. The file has no name
 * once it is open, if the system allows that: a killed run leaves nothing of it behind.
 */
export class Draft {
  readonly #path: string;
  readonly #file: number;
  #isNamed = true;
  readonly #places: { readonly at: number; readonly length: number }[] = [];
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written = 0;
  /** The part that was read last, and its position. */
  #read: Buffer = Buffer.alloc(0);
  #readAt = 0;

  /** @throws Error with a code if the file cannot be made. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'wx+', 0o600);
    try {
      rmSync(path);
      this.#isNamed = false;
    } catch {
      // Windows keeps the name of an open file.
    }
  }

  get length(): number {
    return this.#places.length;
  }

  /** @throws Error with a code if it cannot be written. */
  add(line: string): void {
    const bytes = Buffer.from(line);
    this.#places.push({ at: this.#written + this.#waitingBytes, length: bytes.length });
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= CHUNK_BYTES) this.#flush();
  }

  /** The line that was the nth to be added, from 0. */
  line(nth: number): string {
    this.#flush();
    const { at, length } = this.#places[nth] ?? { at: 0, length: 0 };
    // Lines are mostly read one after another.
    if (at < this.#readAt || at + length > this.#readAt + this.#read.length) {
      this.#read = this.#bytes(at, Math.max(length, Math.min(CHUNK_BYTES, this.#written - at)));
      this.#readAt = at;
    }
    return this.#read.toString('utf8', at - this.#readAt, at - this.#readAt + length);
  }

  #bytes(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let read = 0; read < length;) {
      const more = readSync(this.#file, bytes, read, length - read, at + read);
      if (more === 0) throw new Error('a draft is shorter than what was written to it');
      read += more;
    }
    return bytes;
  }

  discard(): void {
    closeSync(this.#file);
    if (this.#isNamed) rmSync(this.#path, { force: true });
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written + done);
    this.#written += bytes.length;
  }
}
