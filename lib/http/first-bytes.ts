import type { Socket } from 'node:net';

/** How many bytes of the start of an answer are kept. Framing errors are usually there. */
export const FIRST_BYTES = 4_096;

/** Keeps the first bytes that a connection received since its last request, whether the parser accepted them or not. */
export class FirstBytes {
  #chunks: Buffer[] = [];
  #length = 0;

  /** Forgets what came before. */
  clear(): void {
    this.#chunks = [];
    this.#length = 0;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks).subarray(0, FIRST_BYTES);
  }

  /** undici reads its sockets with `read`, and does not report bytes that its parser rejects. */
  listenTo(socket: Socket): void {
    const read = socket.read.bind(socket) as (size?: number) => unknown;
    socket.read = (size?: number): unknown => {
      const chunk = read(size);
      if (Buffer.isBuffer(chunk)) this.#keep(chunk);
      return chunk;
    };
  }

  #keep(chunk: Buffer): void {
    if (this.#length >= FIRST_BYTES) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}
