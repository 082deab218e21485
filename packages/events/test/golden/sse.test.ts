import type { EventEnvelope } from '@svc/contracts';
import { describe, expect, test } from 'vitest';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { readBridgeVectors } from './bridge-vectors.ts';
import { applyDeviations, withSpecifiedIds } from './deviations.ts';
import { kindsOf } from './log-kinds.ts';
import { RecordedBridge } from './recorded-bridge.ts';
import type { BridgeVectorOptions, Op } from './recorded-bridge.ts';
import { sseDeviations } from './sse-deviations.ts';

interface RecordedFrame {
  event?: string;
  id?: string;
  data_json?: EventEnvelope | null;
  comment?: string;
  end_of_stream?: boolean;
}

interface Recorded {
  emitted_ids: string[];
  streams: Record<string, RecordedFrame[]>;
  results: Record<string, unknown>[];
  closed: boolean;
  logs: { message: string }[];
}

const vectors = readBridgeVectors<BridgeVectorOptions, { ops: Op[] }, Recorded>('sse');

/** The part of a frame that is the same in every run; instead of its id, an event has its position among those emitted. */
type SeenFrame = { event: string; emitted: number; data: unknown } | 'keepalive' | 'end of stream';

/** Runs a case and records the frames of its streams. */
class SseRun {
  readonly streams: Record<string, SeenFrame[]> = {};
  readonly results: Record<string, unknown>[] = [];
  readonly ids: string[] = [];
  readonly #recorded: RecordedBridge;
  readonly #open = new Map<string, AsyncGenerator<string>>();

  constructor(options: BridgeVectorOptions) {
    this.#recorded = new RecordedBridge(options);
  }

  get logs(): Record<string, number> {
    return kindsOf(this.#recorded.warnings);
  }

  get closed(): boolean {
    return this.#recorded.bridge.closed;
  }

  async run(op: Op, op_index: number): Promise<void> {
    try {
      const result = await this.#step(op);
      if (result !== undefined) this.results.push({ op_index, ...(result as object) });
    } catch (error) {
      this.results.push({ op_index, error: (error as Error).name });
    }
    await this.#noteIds();
  }

  async #step(op: Op): Promise<unknown> {
    const { bridge } = this.#recorded;
    if (op.op === 'sse_open') return this.#openStream(op);
    if (op.op === 'sse_read') return this.#read(op);
    if (op.op === 'sse_close') return void (await this.#open.get(op.stream ?? '')?.return(undefined));
    if (op.op === 'drain_queue') return undefined;
    if (op.op === 'wait_for_subscriber') {
      return { result: await bridge.waitForSubscriber({ timeoutMs: Number(op.args?.timeout) * 1000 }) };
    }
    return this.#recorded.run(op);
  }

  #openStream({ stream = '', args = {} }: Op): void {
    const cursor = args.last_event_id as string | { emitted: number } | undefined;
    const lastEventId = typeof cursor === 'object' ? this.ids[cursor.emitted] : cursor;
    const seconds = args.heartbeat_interval;
    this.streams[stream] = [];
    const frames = this.#recorded.bridge.generateSse({
      ...(lastEventId !== undefined && { lastEventId }),
      ...(typeof seconds === 'number' && { heartbeatIntervalMs: seconds * 1000 }),
    });
    this.#open.set(stream, frames);
  }

  async #read({ stream = '', count = Number.POSITIVE_INFINITY }: Op): Promise<void> {
    const frames = this.#open.get(stream);
    const seen = this.streams[stream] ?? [];
    for (let i = 0; i < count; i += 1) {
      const next = await frames?.next();
      if (next === undefined || next.done) {
        seen.push('end of stream');
        return;
      }
      seen.push(this.#seen(next.value));
    }
  }

  #seen(frame: string): SeenFrame {
    if (/^: keepalive \S+\n\n$/.test(frame)) return 'keepalive';
    const [decoded] = decodeFrames(frame);
    const { id = '', type = '', data } = decoded?.envelope ?? {};
    const written = `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(decoded?.envelope)}\n\n`;
    if (frame !== written) throw new Error(`not as a frame is written: ${frame}`);
    const seen = { event: type, emitted: this.ids.indexOf(id), data };
    return type === 'stream_gap' ? { ...seen, data: this.#gapWithoutIds(data ?? {}) } : seen;
  }

  #gapWithoutIds({ reason, requested_id, oldest_id }: Record<string, unknown>) {
    const placeOf = (id: unknown) => (this.ids.includes(String(id)) ? this.ids.indexOf(String(id)) : id);
    return { reason, requested: placeOf(requested_id), oldest: placeOf(oldest_id) };
  }

  /** Notes the ids of all events emitted so far, in order. */
  async #noteIds(): Promise<void> {
    for (const { id } of await this.#recorded.bridge.history()) if (!this.ids.includes(id)) this.ids.push(id);
  }
}

function recordedFrame(
  { event = '', id = '', data_json, comment, end_of_stream }: RecordedFrame,
  ids: string[],
): SeenFrame {
  if (end_of_stream) return 'end of stream';
  if (comment !== undefined) return 'keepalive';
  return { event, emitted: ids.indexOf(id), data: data_json && withSpecifiedIds(data_json.data) };
}

/** Queue sizes and evictions, which svc does not count: it has a log instead of a queue. */
const notOurs = new Set(['queue_size', 'history_evictions']);
const comparableResult = (result: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(result)
      .filter(([key]) => !notOurs.has(key))
      .map(([key, value]) => [key, key === 'error' ? 'RangeError' : value]),
  );

describe('SSE streams, compared with recordings of the original', () => {
  test.each(vectors)('$id', async ({ id, options, input, expected }) => {
    const run = new SseRun(options);
    for (const [index, op] of input.ops.entries()) await run.run(op, index);
    const { streams, results, closed, logs } = run;
    const actual = { streams, results, closed, logs };
    const original = {
      streams: Object.fromEntries(
        Object.entries(expected.streams).map(([name, frames]) => [
          name,
          frames.map((frame) => recordedFrame(frame, expected.emitted_ids)),
        ]),
      ),
      results: expected.results.filter((result) => !('queue' in result)).map(comparableResult),
      closed: expected.closed,
      logs: kindsOf(expected.logs.map(({ message }) => message)),
    };
    expect(actual).toStrictEqual(applyDeviations(original, sseDeviations[id] ?? []));
  });

  test('deviations are only listed for cases that exist', () => {
    const ids = new Set(vectors.map(({ id }) => id));
    expect(Object.keys(sseDeviations).filter((id) => !ids.has(id))).toEqual([]);
  });
});
