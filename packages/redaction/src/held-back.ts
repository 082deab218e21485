import type { ValueMatcher } from './value-matcher.js';

/** All that a {@link HeldBackText} knows: plain data that can be stored, and rebuilt by replaying the chunks. */
export interface HeldBackState {
  /** The end of the text so far that may still become a private value. It is private: never show or log it. */
  readonly held: string;
  /** How many of its first characters are settled: part of a value that was replaced already, or of a kept text. */
  readonly settled: number;
  /** Whether the settled characters are kept, rather than replaced already. */
  readonly isKept: boolean;
}

const nothingHeld: HeldBackState = { held: '', settled: 0, isKept: false };

/**
 * Hides private values in a text that comes in chunks, also where chunks split them. Only text that may still become a
 * value waits: less than the longest form of a value, and nothing at all while no value begins at the text's end. What
 * comes out, chunk by chunk, depends on the values and the chunks alone; all of it together is what
 * `matcher.replace(text)` makes of the whole text.
 */
export class HeldBackText {
  readonly #matcher: ValueMatcher;
  #state: HeldBackState;

  /** @internal Use {@link createHeldBackText}. */
  constructor(matcher: ValueMatcher, state: HeldBackState) {
    this.#matcher = matcher;
    this.#state = state;
  }

  /** What it takes to go on from here, elsewhere or later. */
  get state(): HeldBackState {
    return this.#state;
  }

  /** Takes the next chunk and gives the text that may be shown now; often the chunk itself. */
  push(chunk: string): string {
    return this.#take(chunk, false);
  }

  /** Gives what was held back, once the text has ended. A text that is pushed after it is a new text. */
  flush(): string {
    return this.#take('', true);
  }

  #take(chunk: string, isLast: boolean): string {
    const from = this.#state;
    const text = from.held + chunk;
    const scan = this.#matcher.scan(text, isLast, from);
    const { heldFrom, settled, isKept } = scan;
    this.#state = heldFrom < text.length ? { held: text.slice(heldFrom), settled, isKept } : nothingHeld;
    return this.#matcher.render(text, scan, from);
  }
}

/**
 * Starts a text that comes in chunks, or goes on with one from its state.
 *
 * @example
 * const text = createHeldBackText(matcher);
 * for await (const chunk of chunks) show(text.push(chunk));
 * show(text.flush());
 */
export function createHeldBackText(matcher: ValueMatcher, state: HeldBackState = nothingHeld): HeldBackText {
  return new HeldBackText(matcher, state);
}
