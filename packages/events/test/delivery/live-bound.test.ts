import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LiveBound, type DropPolicy } from '../../src/delivery/live-bound.js';

/** The expected behaviour of a bound, entry by entry. */
class Model {
  readonly waiting: number[] = [];
  readonly #maxWaiting: number;
  readonly #policy: DropPolicy;
  #isOver = false;

  constructor(maxWaiting: number, policy: DropPolicy) {
    this.#maxWaiting = maxWaiting;
    this.#policy = policy;
  }

  /** Returns how many are dropped. */
  arrive(seqs: readonly number[], isEnd: boolean): number {
    if (this.#isOver) return 0;
    this.#isOver = isEnd;
    let dropped = 0;
    for (const seq of isEnd ? seqs.slice(0, -1) : seqs) {
      if (this.waiting.length < this.#maxWaiting) this.waiting.push(seq);
      else {
        dropped += 1;
        if (this.#policy === 'drop_newest') continue;
        this.waiting.shift();
        this.waiting.push(seq);
      }
    }
    if (isEnd) this.waiting.push(...seqs.slice(-1));
    return dropped;
  }

  /** The first run of consecutive waiting entries. */
  next(): { from: number; to: number } | undefined {
    const [from] = this.waiting;
    if (from === undefined) return undefined;
    const gap = this.waiting.findIndex((seq, i) => seq !== from + i);
    return { from, to: from + (gap < 0 ? this.waiting.length : gap) - 1 };
  }
}

const steps = fc.array(
  fc.record({
    /** Entries that the log lost before it delivered them. */
    lost: fc.integer({ min: 0, max: 2 }),
    arrives: fc.integer({ min: 1, max: 6 }),
    isEnd: fc.boolean(),
    reads: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 20 },
);

it.each(['drop_oldest', 'drop_newest'] as const)(
  '%s keeps exactly the entries that its policy keeps, however they are read',
  (policy) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 4 }),
        steps,
        (maxWaiting, replayTo, all) => {
          const bound = new LiveBound({ maxWaiting, policy, replayTo });
          const model = new Model(maxWaiting, policy);
          let [headSeq, afterSeq] = [replayTo, 0];
          for (const { lost, arrives, isEnd, reads } of all) {
            headSeq += lost;
            const seqs = Array.from({ length: arrives }, (_, i) => headSeq + 1 + i);
            const ends = isEnd && arrives % 3 === 0;
            headSeq += arrives;
            const range = { from: headSeq - arrives + 1, to: headSeq };
            expect(bound.arrive(range, ends ? headSeq : undefined)).toBe(model.arrive(seqs, ends));
            for (let read = 0; read < reads; read += 1) {
              const replay = afterSeq < replayTo ? { from: afterSeq + 1, to: replayTo } : undefined;
              const next = bound.next(afterSeq);
              expect(next).toEqual(replay ?? model.next());
              if (next === undefined) break;
              afterSeq = Math.min(next.to, next.from + (read % 2) * 2);
              bound.advance(afterSeq);
              while ((model.waiting[0] ?? afterSeq + 1) <= afterSeq) model.waiting.shift();
            }
          }
        },
      ),
    );
  },
);

it('continues after the entries that a reader skipped because the log no longer has them', () => {
  const bound = new LiveBound({ maxWaiting: 8, policy: 'drop_oldest', replayTo: 0 });
  bound.arrive({ from: 1, to: 6 }, undefined);
  expect(bound.next(3)).toEqual({ from: 4, to: 6 });
});

it.each([
  ['replays what has arrived since', 5, { from: 6, to: 9 }],
  ['still ends there', 4, { from: 5, to: 5 }],
])('%s if the log has lost entries up to %i of a turn that ended with 5', (_, throughSeq, expected) => {
  const bound = new LiveBound({ maxWaiting: 8, policy: 'drop_newest', replayTo: 0 });
  bound.arrive({ from: 1, to: 5 }, 5);
  bound.arrive({ from: 6, to: 9 }, undefined);
  bound.lose(throughSeq, 9);
  bound.advance(throughSeq);
  expect(bound.next(throughSeq)).toEqual(expected);
});

it('keeps its limit after the log has lost the end of a turn', () => {
  const bound = new LiveBound({ maxWaiting: 2, policy: 'drop_newest', replayTo: 0 });
  bound.arrive({ from: 1, to: 3 }, 3);
  bound.lose(3, 3);
  bound.advance(3);
  expect(bound.arrive({ from: 4, to: 6 }, undefined)).toBe(1);
});
