import type { StartTable } from './start-table.js';

/** Steps through the positions of one text where a match may start. */
export class StartCursor {
  readonly #table: StartTable;
  readonly #text: string;
  readonly #end: number;
  /** The next `\` and `%` at or after the last position. */
  #backslash = -1;
  #percent = -1;
  /** The next line break: base64 may be wrapped there. */
  #lineFeed = -1;
  #carriageReturn = -1;
  #wrapped = -1;
  #plain = -1;
  /** The word before the last line break looked at: many positions may be in it, but it is read once. */
  #word = { start: 0, end: -1 };

  /** Stops at `end`. */
  constructor(table: StartTable, text: string, end: number) {
    this.#table = table;
    this.#text = text;
    this.#end = end;
  }

  /** Returns the first position from this one on where a match may start; the end if there is none. */
  next(from: number): number {
    if (from >= this.#end) return this.#end;
    if (this.#table.window === 0) return this.#table.nextIn(this.#text, from, this.#end);
    if (this.#plain < from) this.#plain = this.#nextPlain(from);
    if (this.#wrapped < from) this.#wrapped = this.#nextWrapped(from);
    return Math.min(this.#plain, this.#wrapped);
  }

  /** Windows move from one encoded letter to the next; positions whose window contains one are checked one by one. */
  #nextPlain(from: number): number {
    let at = from;
    while (at < this.#end) {
      const encoded = this.#nextEncoded(at);
      const window = this.#table.nextWindow(this.#text, at, encoded);
      at = Math.min(window.at, this.#end);
      if (window.mayStart) return at;
      const end = Math.min(encoded + 1, this.#end);
      at = this.#table.nextIn(this.#text, at, end);
      if (at < end) return at;
    }
    return this.#end;
  }

  /** A line break splits base64, so the positions in the word before it are checked one by one. */
  #nextWrapped(from: number): number {
    for (let at = from; at < this.#end;) {
      const lineBreak = this.#nextLineBreak(at);
      if (lineBreak >= this.#text.length) return this.#end;
      const end = Math.min(lineBreak, this.#end);
      const start = this.#table.nextIn(this.#text, Math.max(at, this.#wordStart(lineBreak)), end);
      if (start < end) return start;
      at = lineBreak + 1;
    }
    return this.#end;
  }

  #nextEncoded(from: number): number {
    if (this.#backslash < from) this.#backslash = this.#find('\\', from);
    if (this.#percent < from) this.#percent = this.#find('%', from);
    return Math.min(this.#backslash, this.#percent);
  }

  #nextLineBreak(from: number): number {
    if (this.#lineFeed < from) this.#lineFeed = this.#find('\n', from);
    if (this.#carriageReturn < from) this.#carriageReturn = this.#find('\r', from);
    return Math.min(this.#lineFeed, this.#carriageReturn);
  }

  #find(letter: string, from: number): number {
    const at = this.#text.indexOf(letter, from);
    return at < 0 ? this.#text.length : at;
  }

  #wordStart(end: number): number {
    if (this.#word.end === end) return this.#word.start;
    const first = Math.max(0, end - this.#table.longest);
    let start = end;
    while (start > first && isBase64(this.#text.charCodeAt(start - 1))) start -= 1;
    this.#word = { start, end };
    return start;
  }
}

/** Whether a letter is in either base64 alphabet. */
function isBase64(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a;
  if (code >= 0x41) return code <= 0x5a || code === 0x5f;
  return (code >= 0x2f && code <= 0x39) || code === 0x2b || code === 0x2d;
}
