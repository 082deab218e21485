import { describe, expect, it } from 'vitest';
import { pauseAfterSnapshotMs, TextStream } from '../../../src/sessions/journal/text-stream.js';
import { ManualClock } from '../../support/manual-clock.js';

/** Lets a write that needs no time end. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

function streamOf(intervalMs: number, before = '') {
  const clock = new ManualClock(0);
  const writes: { atMs: number; text: string }[] = [];
  const stream = new TextStream({
    before,
    pauseMs: (length) => pauseAfterSnapshotMs(length, intervalMs),
    clock,
    write: async (text) => void writes.push({ atMs: clock.nowMs(), text }),
  });
  /** Pushes a delta every so many milliseconds. */
  const pushAll = async (deltas: readonly string[], everyMs: number) => {
    for (const delta of deltas) {
      stream.push(delta);
      await settled();
      clock.advance(everyMs);
      await settled();
    }
  };
  return { clock, writes, stream, pushAll };
}

describe('a text stream', () => {
  it('writes the first piece at once, and then at most once per interval', async () => {
    const { writes, pushAll } = streamOf(40);
    await pushAll([...'abcdefghij'], 10);
    expect(writes).toEqual([
      { atMs: 0, text: 'a' },
      { atMs: 40, text: 'abcd' },
      { atMs: 80, text: 'abcdefgh' },
    ]);
  });

  it('writes a piece at once again after a pause in which nothing came', async () => {
    const { clock, writes, pushAll } = streamOf(40, 'Before. ');
    await pushAll(['a'], 10);
    clock.advance(1000);
    await pushAll(['b'], 0);
    expect(writes.map(({ atMs }) => atMs)).toEqual([0, 1010]);
    expect(writes.at(-1)?.text).toBe('Before. ab');
  });

  it('pauses longer the longer the text is, so that the traffic does not grow as its square', async () => {
    const { writes, pushAll } = streamOf(40);
    await pushAll(Array<string>(3000).fill('x'.repeat(100)), 1);
    // At most 4000 characters per interval are as many as the text itself had.
    expect(writes.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(2 * 3000 * 100);
  });

  it('writes nothing more and leaves no timer once it is closed', async () => {
    const { clock, writes, stream, pushAll } = streamOf(40);
    await pushAll(['a', 'b'], 0);
    await stream.close();
    stream.push('c');
    clock.advance(1000);
    expect([writes.length, clock.waiting]).toEqual([1, 0]);
  });

  it('sets no timer when it is closed during a write', async () => {
    const { clock, stream } = streamOf(40);
    stream.push('a');
    await stream.close();
    expect(clock.waiting).toBe(0);
  });
});
