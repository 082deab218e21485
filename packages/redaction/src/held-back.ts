import type { OpenWalks, Scan } from './matching/scan.js';
import type { ValueMatcher } from './value-matcher.js';

/** All that a {@link HeldBackText} knows: plain data that can be stored, and rebuilt by replaying the chunks. */
export interface HeldBackState {
  /** The end of the text so far that may still become a private value. It is private: never show or log it. */
  readonly held: string;
  /** How many of the first characters that wait are settled: part of a value that was replaced, or of a kept text. */
  readonly settled: number;
  /** Whether the settled characters are kept, rather than replaced already. */
  readonly isKept: boolean;
  /** How many characters wait before `held` that nobody knows any more; see {@link withoutHeldText}. */
  readonly lost?: number;
}

const nothingHeld: HeldBackState = { held: '', settled: 0, isKept: false };

/** How far the text of a state was read, so that with each chunk only the chunk is read. */
const readSoFar = new WeakMap<HeldBackState, { matcher: ValueMatcher; open: OpenWalks }>();

/** What stands in place of text that was held back and is lost. */
const LOST_TEXT = '<redacted>';

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

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#state.held === '' && this.#state.lost === undefined;
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
    if (from.lost !== undefined) return this.#takeAfter(from.lost, text, isLast);
    const known = readSoFar.get(from);
    const open = known?.matcher === this.#matcher ? known.open : undefined;
    const scan = this.#matcher.scan(text, isLast, { ...from, open });
    this.#hold(text, scan, isLast);
    return this.#matcher.render(text, scan, from);
  }

  /** Text after some that is lost, which may have been the beginning of a value: the rest of one is hidden with it. */
  #takeAfter(lost: number, text: string, isLast: boolean): string {
    const { held, settled, isKept } = this.#state;
    if (!isLast && !isRestDue(held.length, text.length)) {
      this.#state = { held: text, settled, isKept, lost };
      return '';
    }
    const rest = this.#matcher.scanRest(text, lost);
    if (rest.isUnclear) {
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

  #hold(text: string, { heldFrom, settled, isKept, unclearFrom, open }: Scan, isLast: boolean): void {
    if (unclearFrom !== undefined && !isLast) {
      const lost = text.length - unclearFrom;
      this.#state = { held: '', settled: lost, isKept: false, lost };
    } else {
      this.#state = heldFrom < text.length ? { held: text.slice(heldFrom), settled, isKept } : nothingHeld;
      if (open !== undefined) readSoFar.set(this.#state, { matcher: this.#matcher, open });
    }
  }
}

/** Up to this many characters a rest is looked for with every chunk. */
const SHORT_REST = 1024;

/** A rest may begin at any letter of a value, so that a long one is looked for each time it has grown by a tenth. */
function isRestDue(before: number, now: number): boolean {
  const step = (length: number) => Math.floor(Math.log2(length) * 8);
  return now <= SHORT_REST || before === 0 || step(now) > step(before);
}

/**
 * Starts a text that comes in chunks, or goes on with one from its state.
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
 * A state that may be stored where no private text may stand. Of what waits it keeps how long it is, and the text only
 * if that is too short to tell of a value: up to three characters, and up to a quarter of the shortest value. A text
 * that goes on from it hides the rest of a value that was cut there, and shows `<redacted>` for text that turns out to
 * be no value and cannot be shown any more, or that would take too long to tell from a value that repeats itself.
 */
export function withoutHeldText(state: HeldBackState, matcher: ValueMatcher | undefined): HeldBackState {
  const { held, settled, isKept, lost = 0 } = state;
  if (lost === 0 && held.length <= (matcher?.mostTold ?? 0)) return state;
  return { held: '', settled, isKept, lost: lost + held.length };
}
