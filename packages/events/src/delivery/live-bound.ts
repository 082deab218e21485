/** Consecutive entries. */
export interface SeqRange {
  readonly from: number;
  readonly to: number;
}

/** Which entries are dropped if too many wait for a reader. */
export type DropPolicy = 'drop_oldest' | 'drop_newest';

/**
 * The entries that arrived while a reader was attached and still wait for it, in a limited number. Entries replayed from
 * before are not counted.
 */
export class LiveBound {
  readonly #maxWaiting: number;
  readonly #policy: DropPolicy;
  #replayTo: number;
  #runs: SeqRange[] = [];
  #waiting = 0;
  #endSeq: number | undefined;

  constructor(options: { maxWaiting: number; policy: DropPolicy; replayTo: number }) {
    this.#maxWaiting = options.maxWaiting;
    this.#policy = options.policy;
    this.#replayTo = options.replayTo;
  }

  /**
   * Adds new entries. `freeSeq` is the last of them if it ends the turn: it is never dropped or counted, and later entries
   * are ignored. Returns how many are dropped.
   */
  arrive({ from, to }: SeqRange, freeSeq: number | undefined): number {
    if (this.#endSeq !== undefined) return 0;
    this.#endSeq = freeSeq;
    const counted = freeSeq === undefined ? to - from + 1 : to - from;
    const last = freeSeq === undefined ? to : to - 1;
    const excess = Math.max(0, this.#waiting + counted - this.#maxWaiting);
    if (this.#policy === 'drop_newest') {
      this.#push({ from, to: last - excess });
      if (freeSeq !== undefined) this.#push({ from: freeSeq, to: freeSeq });
      this.#waiting += counted - excess;
      return excess;
    }
    this.#push({ from, to });
    this.#waiting += counted;
    this.#dropOldest(excess);
    return excess;
  }

  /** The entries to read next after a sequence number; undefined if none are waiting. */
  next(afterSeq: number): SeqRange | undefined {
    if (afterSeq < this.#replayTo) return { from: afterSeq + 1, to: this.#replayTo };
    const run = this.#runs[0];
    return run && (run.from > afterSeq ? run : { from: afterSeq + 1, to: run.to });
  }

  /** Removes everything up to the sequence number that the reader has reached. */
  advance(afterSeq: number): void {
    for (let run = this.#runs[0]; run !== undefined && run.from <= afterSeq; run = this.#runs[0])
      this.#shorten(run, Math.min(run.to, afterSeq) - run.from + 1);
  }

  /**
   * The log no longer has the entries up to `throughSeq`. If the end of the turn is among them, the reader does not end
   * there: it replays what has arrived up to `headSeq`.
   */
  lose(throughSeq: number, headSeq: number): void {
    if (this.#endSeq === undefined || throughSeq < this.#endSeq) return;
    this.#endSeq = undefined;
    this.#runs = [];
    this.#waiting = 0;
    this.#replayTo = headSeq;
  }

  #push({ from, to }: SeqRange): void {
    if (to < from) return;
    const last = this.#runs.at(-1);
    if (last !== undefined && last.to === from - 1)
      this.#runs[this.#runs.length - 1] = { from: last.from, to };
    else this.#runs.push({ from, to });
  }

  #dropOldest(count: number): void {
    let left = count;
    for (let run = this.#runs[0]; run !== undefined && left > 0; run = this.#runs[0]) {
      const dropped = Math.min(left, run.to - run.from + 1);
      left -= dropped;
      this.#shorten(run, dropped);
    }
  }

  /** Removes entries from the start of the first run. */
  #shorten({ from, to }: SeqRange, count: number): void {
    this.#waiting -= count;
    if (from + count > to) this.#runs.shift();
    else this.#runs[0] = { from: from + count, to };
  }
}
