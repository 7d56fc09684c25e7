import type { Socket } from 'node:net';

/** So many of the first bytes of an answer are kept: what is wrong with its framing shows there, if anywhere. */
export const TAPE_BYTES = 4_096;

/** The first bytes that came over a connection since the last request went out, whatever the parser made of them. */
export class Tape {
  #chunks: Buffer[] = [];
  #length = 0;

  rewind(): void {
    this.#chunks = [];
    this.#length = 0;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** undici takes what comes out of its sockets with `read`, and hands on no bytes that its parser choked on. */
  listenTo(socket: Socket): void {
    const read = socket.read.bind(socket) as (size?: number) => unknown;
    socket.read = (size?: number): unknown => {
      const chunk = read(size);
      if (Buffer.isBuffer(chunk)) this.#keep(chunk);
      return chunk;
    };
  }

  #keep(chunk: Buffer): void {
    if (this.#length >= TAPE_BYTES) return;
    // Copied, so that a few bytes do not hold on to the whole of a large chunk.
    const kept = Buffer.from(chunk.subarray(0, TAPE_BYTES - this.#length));
    this.#chunks.push(kept);
    this.#length += kept.length;
  }
}
