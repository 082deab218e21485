/** Up to this many bytes one copy is cheaper than three writes. */
const maxCopiedBytes = 64 * 1024;
/** How many chunks are remembered: what one flush hands to all readers of a few sessions. */
const maxRemembered = 8;

const chunkEnd = Buffer.from('\r\n');

/** Frames bytes as chunks of HTTP/1.1's chunked coding, once for all readers that get the same bytes. */
export class ChunkFramer {
  readonly #sources: (Uint8Array | undefined)[] = Array.from({ length: maxRemembered });
  readonly #chunks: Buffer[] = [];
  #next = 0;

  /** Returns the whole chunk around these bytes, to be read only, or undefined if there are too many to copy. */
  chunkOf(bytes: Uint8Array): Buffer | undefined {
    if (bytes.length > maxCopiedBytes) return undefined;
    const known = this.#sources.indexOf(bytes);
    if (known >= 0) return this.#chunks[known];
    const start = chunkStart(bytes.length);
    const chunk = Buffer.allocUnsafe(start.length + bytes.length + chunkEnd.length);
    chunk.write(start, 'latin1');
    chunk.set(bytes, start.length);
    chunk.set(chunkEnd, start.length + bytes.length);
    this.#sources[this.#next] = bytes;
    this.#chunks[this.#next] = chunk;
    this.#next = (this.#next + 1) % maxRemembered;
    return chunk;
  }

  /** Forgets all chunks, to free their memory. */
  forget(): void {
    this.#sources.fill(undefined);
    this.#chunks.length = 0;
  }
}

/** Returns the line that precedes a chunk of this many bytes. */
export function chunkStart(length: number): string {
  return `${length.toString(16)}\r\n`;
}
