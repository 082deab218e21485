import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, ClockTimer } from './clock.js';

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly keepsAlive: boolean;
  callback: (() => void) | undefined;
}

/** The timer fires at least this often, to notice that the computer slept or its clock was set. */
const MAX_SLEEP_MS = 60_000;

/** How many alarms are called before other work of the process gets a turn. */
const MAX_PER_TURN = 256;

/** Alarms do not belong to a caller, so they do not run in the async context of whoever set the timer. */
const outside = AsyncLocalStorage.snapshot();

const heaps = new WeakMap<Clock, TimerHeap>();

/** The alarms of every job of a clock, in a heap, behind one timer. */
export class TimerHeap {
  readonly #clock: Clock;
  readonly #entries: Entry[] = [];
  #order = 0;
  #cancelled = 0;
  #keepingAlive = 0;
  #timer: { readonly atMs: number; readonly keepsAlive: boolean; readonly handle: ClockTimer } | undefined;
  #isRinging = false;

  private constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the heap of a clock. */
  static of(clock: Clock): TimerHeap {
    const known = heaps.get(clock);
    if (known) return known;
    const heap = new TimerHeap(clock);
    heaps.set(clock, heap);
    return heap;
  }

  /** The number of set alarms. */
  get size(): number {
    return this.#entries.length - this.#cancelled;
  }

  /** Calls back once at a moment, or as soon as possible after it. The callback must not throw. */
  set(atMs: number, callback: () => void, { keepsAlive = false } = {}): ClockTimer {
    const entry: Entry = { atMs, order: (this.#order += 1), keepsAlive, callback };
    this.#push(entry);
    if (keepsAlive) this.#keepingAlive += 1;
    this.#arm();
    return { cancel: () => this.#cancel(entry) };
  }

  #cancel(entry: Entry): void {
    if (!entry.callback) return;
    this.#forget(entry);
    this.#cancelled += 1;
    if (this.#cancelled > 64 && this.#cancelled * 2 > this.#entries.length) this.#sweep();
    this.#arm();
  }

  #forget(entry: Entry): void {
    entry.callback = undefined;
    if (entry.keepsAlive) this.#keepingAlive -= 1;
  }

  /** Sets the timer to the first alarm. */
  #arm(): void {
    if (this.#isRinging) return;
    this.#dropCancelled();
    const first = this.#entries[0];
    const keepsAlive = this.#keepingAlive > 0;
    if (first && this.#timer?.atMs === first.atMs && this.#timer.keepsAlive === keepsAlive) return;
    this.#timer?.handle.cancel();
    this.#timer = undefined;
    if (!first) return;
    const delayMs = Math.min(MAX_SLEEP_MS, Math.max(0, first.atMs - this.#clock.now()));
    const handle = this.#clock.startTimer(delayMs, () => outside(() => this.#ring()), { keepsAlive });
    this.#timer = { atMs: first.atMs, keepsAlive, handle };
  }

  #ring(): void {
    this.#timer = undefined;
    this.#isRinging = true;
    const nowMs = this.#clock.now();
    for (let count = 0; count < MAX_PER_TURN; count += 1) {
      this.#dropCancelled();
      const first = this.#entries[0];
      if (!first || first.atMs > nowMs) break;
      this.#pop();
      const { callback } = first;
      this.#forget(first);
      callback?.();
    }
    this.#isRinging = false;
    this.#arm();
  }

  #dropCancelled(): void {
    while (this.#entries[0] && !this.#entries[0].callback) {
      this.#pop();
      this.#cancelled -= 1;
    }
  }

  /** Rebuilds the heap without cancelled alarms, so that they do not accumulate. */
  #sweep(): void {
    const alive = this.#entries.filter(({ callback }) => callback !== undefined).sort(compare);
    this.#entries.length = 0;
    for (const entry of alive) this.#entries.push(entry);
    this.#cancelled = 0;
  }

  #push(entry: Entry): void {
    const entries = this.#entries;
    let at = entries.length;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = entries[parentAt];
      if (!parent || compare(parent, entry) <= 0) break;
      entries[at] = parent;
      at = parentAt;
    }
    entries[at] = entry;
  }

  #pop(): void {
    const entries = this.#entries;
    const last = entries.pop();
    if (!last || entries.length === 0) return;
    let at = 0;
    for (;;) {
      const childAt = smallerChild(entries, at);
      const child = entries[childAt];
      if (!child || compare(last, child) <= 0) break;
      entries[at] = child;
      at = childAt;
    }
    entries[at] = last;
  }
}

function smallerChild(entries: readonly Entry[], at: number): number {
  const left = entries[2 * at + 1];
  const right = entries[2 * at + 2];
  return left && right && compare(right, left) < 0 ? 2 * at + 2 : 2 * at + 1;
}

function compare(one: Entry, other: Entry): number {
  return one.atMs - other.atMs || one.order - other.order;
}
