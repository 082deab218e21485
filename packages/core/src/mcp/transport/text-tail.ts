import { StringDecoder } from 'node:string_decoder';

/** Keeps the end of a text that arrives in chunks, in bounded memory. */
export class TextTail {
  readonly #maxLength: number;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #isCut = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(chunk: Buffer): void {
    // Only the end of a chunk that is longer than the tail is needed.
    const end = chunk.length > this.#maxLength * 4 ? chunk.subarray(-this.#maxLength * 4) : chunk;
    const text = this.#text + this.#decoder.write(end);
    this.#isCut ||= text.length > this.#maxLength;
    this.#text = text.slice(-this.#maxLength);
  }

  /**
   * Returns the tail; a cut text begins at a line, or else at a word, because the rest of a cut secret would not be
   * recognized.
   */
  toString(): string {
    const whole = this.#isCut ? this.#text.replace(/^[^\n]*\n|^\S*\s/, '') : this.#text;
    return whole.trim();
  }
}
