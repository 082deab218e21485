import { StringDecoder } from 'node:string_decoder';

/**
 * Keeps the end of a text that arrives in chunks, in bounded memory: twice as much as it shows, so that a confidential
 * value at the beginning of what is shown is still recognized as a whole.
 */
export class TextTail {
  readonly #maxLength: number;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #isCut = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(chunk: Buffer): void {
    const keptLength = this.#maxLength * 2;
    // Only the end of a chunk that is longer than the tail is needed.
    const end = chunk.length > keptLength * 4 ? chunk.subarray(-keptLength * 4) : chunk;
    const text = this.#text + this.#decoder.write(end);
    this.#isCut ||= text.length > keptLength;
    this.#text = text.slice(-keptLength);
  }

  /** Returns the tail of the cleaned text; a cut text begins at a line, or else at a word. */
  read(clean: (text: string) => string): string {
    const text = clean(this.#text);
    const end = text.slice(-this.#maxLength);
    const isCut = this.#isCut || end !== text;
    return (isCut ? end.replace(/^[^\n]*\n|^\S*\s/, '') : end).trim();
  }
}
