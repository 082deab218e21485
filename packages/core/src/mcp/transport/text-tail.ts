import { StringDecoder } from 'node:string_decoder';

/** The last part of a text that comes in pieces, in bounded memory. */
export class TextTail {
  readonly #maxLength: number;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #isCut = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(chunk: Buffer): void {
    // Of a piece that is longer than the tail only its end can be shown.
    const end = chunk.length > this.#maxLength * 4 ? chunk.subarray(-this.#maxLength * 4) : chunk;
    const text = this.#text + this.#decoder.write(end);
    this.#isCut ||= text.length > this.#maxLength;
    this.#text = text.slice(-this.#maxLength);
  }

  /** Of a text that is cut it begins with a line, else with a word: of a secret that is cut in two, nobody would know the rest. */
  toString(): string {
    const whole = this.#isCut ? this.#text.replace(/^[^\n]*\n|^\S*\s/, '') : this.#text;
    return whole.trim();
  }
}
