import type { OpenWalks, Scan } from './matching/scan.js';
import type { ValueMatcher } from './value-matcher.js';

/** The state of a {@link HeldBackText}: plain data that can be stored, or rebuilt by replaying the chunks. */
export interface HeldBackState {
  /** The end of the text that may still become a private value. It is private: never show or log it. */
  readonly held: string;
  /** How many of the first held characters are settled: part of a replaced value, or of text that is kept. */
  readonly settled: number;
  /** Whether the settled characters are kept; false if they were already replaced. */
  readonly isKept: boolean;
  /** The number of held characters before `held` whose text was dropped; see {@link withoutHeldText}. */
  readonly lost?: number;
}

const nothingHeld: HeldBackState = { held: '', settled: 0, isKept: false };

/** How far the text of a state was read, so that each push only reads its chunk. */
const readSoFar = new WeakMap<HeldBackState, { matcher: ValueMatcher; open: OpenWalks }>();

/** Replaces text that was held back and then dropped. */
const LOST_TEXT = '<redacted>';

/**
 * Hides private values in a text that arrives in chunks, even where a value is split between chunks. Only text that may
 * still become a value is held back: less than the longest form of a value, and nothing unless a value may begin at the
 * end of the text. The output depends only on the values and the chunks; all of it together equals
 * `matcher.replace(text)` for the whole text.
 */
export class HeldBackText {
  readonly #matcher: ValueMatcher;
  #state: HeldBackState;

  /** @internal Use {@link createHeldBackText}. */
  constructor(matcher: ValueMatcher, state: HeldBackState) {
    this.#matcher = matcher;
    this.#state = state;
  }

  /** The state needed to continue from here, in another process or later. */
  get state(): HeldBackState {
    return this.#state;
  }

  /** Whether no text is held back. */
  get isEmpty(): boolean {
    return this.#state.held === '' && this.#state.lost === undefined;
  }

  /** Takes the next chunk and returns the text that may be shown now, often the chunk itself. */
  push(chunk: string): string {
    return this.#process(chunk, false);
  }

  /** Ends the text and returns what was held back. The next `push` starts a new text. */
  flush(): string {
    return this.#process('', true);
  }

  #process(chunk: string, isLast: boolean): string {
    const from = this.#state;
    const text = from.held + chunk;
    if (from.lost !== undefined) return this.#processRest(from.lost, text, isLast);
    const known = readSoFar.get(from);
    const open = known?.matcher === this.#matcher ? known.open : undefined;
    const scan = this.#matcher.scan(text, isLast, { ...from, open });
    this.#hold(text, scan, isLast);
    return this.#matcher.render(text, scan, from);
  }

  /** Takes text after dropped text, which may have been the beginning of a value: the rest of the value is hidden too. */
  #processRest(lost: number, text: string, isLast: boolean): string {
    const { held, settled, isKept } = this.#state;
    if (!isLast && !isRestDue(held.length, text.length)) {
      this.#state = { held: text, settled, isKept, lost };
      return '';
    }
    const rest = this.#matcher.scanRest(text, lost);
    if (rest.isUndecided) {
      this.#state = isLast ? nothingHeld : { held: '', settled, isKept, lost: lost + text.length };
      return isLast ? LOST_TEXT : '';
    }
    if (rest.isCut && !isLast) {
      this.#state = { held: text, settled, isKept, lost };
      return '';
    }
    const isShownAlready = !isKept && settled >= lost;
    const shown = rest.end > 0 ? rest.replacement : isShownAlready ? '' : LOST_TEXT;
    const from = { settled: rest.end, isKept: false };
    const scan = this.#matcher.scan(text, isLast, from);
    this.#hold(text, scan, isLast);
    return shown + this.#matcher.render(text, scan, from);
  }

  #hold(text: string, { heldFrom, settled, isKept, unsearchedFrom, open }: Scan, isLast: boolean): void {
    if (unsearchedFrom !== undefined && !isLast) {
      const lost = text.length - unsearchedFrom;
      this.#state = { held: '', settled: lost, isKept: false, lost };
    } else {
      this.#state = heldFrom < text.length ? { held: text.slice(heldFrom), settled, isKept } : nothingHeld;
      if (open !== undefined) readSoFar.set(this.#state, { matcher: this.#matcher, open });
    }
  }
}

/** Up to this many characters, a rest is searched for with every chunk. */
const SHORT_REST = 1024;

/** A rest may begin at any letter of a value, so a long one is only searched for when it has grown by a tenth. */
function isRestDue(before: number, now: number): boolean {
  const step = (length: number) => Math.floor(Math.log2(length) * 8);
  return now <= SHORT_REST || before === 0 || step(now) > step(before);
}

/**
 * Starts a text that arrives in chunks, or continues one from its state.
 *
 * @example
 * const text = createHeldBackText(matcher);
 * for await (const chunk of chunks) show(text.push(chunk));
 * show(text.flush());
 */
export function createHeldBackText(matcher: ValueMatcher, state?: HeldBackState | null): HeldBackText {
  return new HeldBackText(matcher, state ?? nothingHeld);
}

/**
 * Returns a state that is safe to store where private text is not allowed. It keeps the length of the held text, and
 * the text itself only if it is too short to reveal a value: up to three characters and up to a quarter of the shortest
 * value. A text continued from it hides the rest of a value that was cut there. It shows `<redacted>` for dropped text
 * that turns out not to be a value, or that would take too long to tell from a value that repeats itself.
 */
export function withoutHeldText(state: HeldBackState, matcher: ValueMatcher | undefined): HeldBackState {
  const { held, settled, isKept, lost = 0 } = state;
  if (lost === 0 && held.length <= (matcher?.harmlessLength ?? 0)) return state;
  return { held: '', settled, isKept, lost: lost + held.length };
}
