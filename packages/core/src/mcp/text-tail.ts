import { StringDecoder } from 'node:string_decoder';

/** The last part of a text that comes in pieces, in bounded memory. */
export class TextTail {
  readonly #maxLength: number;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(chunk: Buffer): void {
    // Of a piece that is longer than the tail only its end can be shown.
    const end = chunk.length > this.#maxLength * 4 ? chunk.subarray(-this.#maxLength * 4) : chunk;
    this.#text = (this.#text + this.#decoder.write(end)).slice(-this.#maxLength);
  }

  toString(): string {
    return this.#text.trim();
  }
}
