import type { EventEnvelope } from '@svc/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Audience } from '../../src/audience/audience.js';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import type { EventReader } from '../../src/delivery/event-reader.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { silentLogger } from '../silent-logger.js';

type Step =
  | { do: 'emit'; count: number; size: number }
  | { do: 'end' }
  | { do: 'reopen' }
  | { do: 'turn of the loop' }
  | { do: 'join'; audience: Audience; from: number | undefined }
  | { do: 'read'; reader: number; chunks: number }
  | { do: 'leave'; reader: number }
  | { do: 'resume'; reader: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('emit' as const),
      count: fc.integer({ min: 1, max: 30 }),
      size: fc.constantFrom(1, 40, 700, 9000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('turn of the loop' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      audience: fc.constantFrom<Audience>('internal', 'frontend_safe'),
      from: fc.option(fc.nat(), { nil: undefined }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      reader: fc.nat(),
      chunks: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), reader: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), reader: fc.nat() }) },
);

/** A reader over all its connections, and all events that it received. */
interface Follower {
  audience: Audience;
  reader: EventReader;
  seen: EventEnvelope[];
  hasLeft: boolean;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Plays steps on a bridge and records what was emitted and what every reader received. */
class Play {
  readonly followers: Follower[] = [];
  readonly emitted: EventEnvelope[] = [];
  readonly #bridge: EventBridge;
  #count = 0;

  constructor(options: EventBridgeOptions) {
    this.#bridge = new EventBridge('s', { logger: silentLogger, schemaValidation: 'off', ...options });
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const each of steps) await this.#step(each);
    if (!this.#bridge.closed) await this.#end();
    for (const follower of this.followers) await this.#finish(follower);
  }

  async #step(each: Step): Promise<void> {
    if (each.do === 'emit') await this.#emit(each);
    else if (each.do === 'end') await this.#end();
    else if (each.do === 'reopen') await this.#bridge.reopen();
    else if (each.do === 'turn of the loop') await nextTurn();
    else if (each.do === 'join') await this.#join(each);
    else await this.#withFollower(each);
  }

  async #emit({ count, size }: { count: number; size: number }): Promise<void> {
    for (let i = 0; i < count && !this.#bridge.closed; i += 1) {
      this.#count += 1;
      await this.#bridge.emit('custom', { n: this.#count, text: 'ü'.repeat(size) });
    }
    await this.#noteEmitted();
  }

  async #end(): Promise<void> {
    if (this.#bridge.closed) return;
    this.#count += 1;
    await this.#bridge.emit('final', { n: this.#count, response: 'done' });
    await this.#noteEmitted();
  }

  async #noteEmitted(): Promise<void> {
    const known = this.emitted.at(-1)?.data.n;
    const turn = await this.#bridge.history();
    this.emitted.push(...turn.filter(({ data }) => Number(data.n) > Number(known ?? 0)));
  }

  async #join({ audience, from }: { audience: Audience; from: number | undefined }): Promise<void> {
    const cursor = from === undefined ? undefined : this.emitted[from % Math.max(1, this.emitted.length)];
    const reader = await this.#open(audience, cursor?.id);
    this.followers.push({ audience, reader, seen: cursor === undefined ? [] : [cursor], hasLeft: false });
  }

  async #withFollower(
    each: Exclude<Step, { do: 'emit' | 'join' | 'end' }> & { reader?: number; chunks?: number },
  ): Promise<void> {
    const follower = this.followers[(each.reader ?? 0) % Math.max(1, this.followers.length)];
    if (follower === undefined) return;
    if (each.do === 'read') for (let i = 0; i < (each.chunks ?? 1); i += 1) take(follower);
    else if (each.do === 'leave') leave(follower);
    else await this.#resume(follower);
  }

  async #resume(follower: Follower): Promise<void> {
    leave(follower);
    follower.hasLeft = false;
    follower.reader = await this.#open(follower.audience, follower.seen.at(-1)?.id);
  }

  async #finish(follower: Follower): Promise<void> {
    const last = this.emitted.at(-1)?.id;
    for (let round = 0; follower.seen.at(-1)?.id !== last; round += 1) {
      if (round > 1000) throw new Error('a reader never gets the last event');
      if (take(follower)) continue;
      if (follower.reader.isEnded) await this.#resume(follower);
      else await follower.reader.readable();
    }
    follower.reader.close();
  }

  #open(audience: Audience, lastEventId: string | undefined): Promise<EventReader> {
    return this.#bridge.openReader({ audience, ...(lastEventId !== undefined && { lastEventId }) });
  }
}

function leave(follower: Follower): void {
  follower.hasLeft ||= !follower.reader.isEnded;
  follower.reader.close();
}

/** Reads what is available. Checks that a stream ends only with its turn. */
function take({ reader, seen, hasLeft }: Follower): boolean {
  const bytes = reader.read();
  if (bytes === undefined) {
    if (reader.isEnded && !hasLeft) expect(seen.at(-1)?.type).toBe('final');
    return false;
  }
  seen.push(...decodeFrames(Buffer.from(bytes).toString()).map(({ envelope }) => envelope));
  return true;
}

const numbersOf = (events: readonly EventEnvelope[]) => events.map(({ data }) => Number(data.n));

describe('readers that join, leave and resume anywhere', () => {
  test('get all events in the same order, without loss or repeat', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const play = new Play({ maxHistory: 100_000 });
        await play.run(steps);
        const all = numbersOf(play.emitted);
        expect(all).toEqual(all.toSorted((a, b) => a - b));
        for (const { seen } of play.followers) {
          const numbers = numbersOf(seen);
          expect(numbers).toEqual(all.slice(all.indexOf(numbers[0] ?? -1)));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('get stream_gap wherever events are missing, and no event twice, when little is stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 60 }),
        fc.constantFrom<EventBridgeOptions>(
          { maxHistory: 3 },
          { maxHistory: 20 },
          { maxHistory: 50 },
          { maxHistory: 40, queueMaxsize: 5, backpressure: 'drop_oldest' },
          { maxHistory: 40, queueMaxsize: 5, backpressure: 'drop_newest' },
        ),
        async (steps, options) => {
          const play = new Play({ ...options, log: new MemoryEventLog({ maxBytesPerSession: 200_000 }) });
          await play.run(steps);
          for (const { seen } of play.followers) {
            for (const [i, event] of seen.entries()) {
              const before = seen[i - 1];
              if (before === undefined || event.type === 'stream_gap') continue;
              const last = seen.slice(0, i).findLast(({ type }) => type !== 'stream_gap');
              const isNext = last === undefined || Number(event.data.n) === Number(last.data.n) + 1;
              expect(isNext || before.type === 'stream_gap').toBe(true);
              expect(last === undefined || Number(event.data.n) > Number(last.data.n)).toBe(true);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
