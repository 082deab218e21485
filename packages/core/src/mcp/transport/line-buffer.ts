const LINE_FEED = 10;

/** Assembles lines from chunks of bytes. */
export class LineBuffer {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the lines that end in this chunk. Throws if one exceeds the limit. */
  add(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(Buffer.concat(this.#pieces).toString());
      this.clear();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) throw new RangeError('The line is too long.');
    this.#pieces.push(piece);
  }
}
