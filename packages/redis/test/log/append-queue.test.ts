import { expect, it } from 'vitest';
import { AppendQueue } from '../../src/log/append-queue.js';
import { VALUES_PER_ENTRY } from '../../src/log/entry-codec.js';

const entry = (seq: number, frames = '') => ({ sessionId: 's', seq, kind: 'event', frames }) as const;

/** A queue whose steps the test answers by hand. */
function openQueue() {
  const steps: { seqs: unknown[]; answer: (reply: unknown) => void; fail: (error: unknown) => void }[] = [];
  let idleTimes = 0;
  const queue = new AppendQueue(
    (values) =>
      new Promise((answer, fail) => {
        steps.push({ seqs: values.filter((_, i) => i % VALUES_PER_ENTRY === 0), answer, fail });
      }),
    () => {
      idleTimes += 1;
    },
  );
  const append = (...seqs: number[]) => Promise.allSettled(seqs.map((seq) => queue.append(entry(seq))));
  /** Answers a step as Redis does when all its entries are stored. */
  const store = (index: number) => steps[index]?.answer(steps[index].seqs.map(() => 0));
  return { queue, steps, append, store, idleTimes: () => idleTimes };
}

it('sends one step at a time, and puts entries that arrive meanwhile in the next', async () => {
  const { steps, append, store, idleTimes } = openQueue();
  const first = append(1, 2);
  await expect.poll(() => steps).toHaveLength(1);
  const second = append(3, 4);
  await Promise.resolve();
  expect(steps.map(({ seqs }) => seqs)).toEqual([[1, 2]]);
  store(0);
  await first;
  await expect.poll(() => steps).toHaveLength(2);
  expect(idleTimes()).toBe(0);
  store(1);
  await second;
  expect(steps.map(({ seqs }) => seqs)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await expect.poll(idleTimes).toBe(1);
  void append(5);
  await expect.poll(() => steps).toHaveLength(3);
});

it('rejects only the entries of the step that failed', async () => {
  const { steps, append, store } = openQueue();
  const first = append(1);
  await expect.poll(() => steps).toHaveLength(1);
  const second = append(2);
  const failure = new Error('away');
  steps[0]?.fail(failure);
  expect(await first).toEqual([{ status: 'rejected', reason: failure }]);
  await expect.poll(() => steps).toHaveLength(2);
  store(1);
  expect(await second).toEqual([{ status: 'fulfilled', value: undefined }]);
});

it('settles each entry of a step with its own outcome', async () => {
  const { steps, append } = openQueue();
  const outcomes = append(1, 4);
  await expect.poll(() => steps).toHaveLength(1);
  steps[0]?.answer([0, 2]);
  expect(await outcomes).toMatchObject([
    { status: 'fulfilled' },
    { reason: { code: 'EVENT_LOG_GAP', details: { seq: 4, head_seq: 1 } } },
  ]);
});

it('limits a step by entries and by size, and sends a larger entry alone', async () => {
  const { queue, steps, append, store } = openQueue();
  void append(...Array.from({ length: 129 }, (_, i) => i + 1));
  const sizes = [300_000, 300_000, 600_000, 1];
  for (const [i, size] of sizes.entries()) void queue.append(entry(130 + i, 'x'.repeat(size)));
  for (let step = 0; step < 5; step += 1) {
    await expect.poll(() => steps).toHaveLength(step + 1);
    store(step);
  }
  await queue.drained();
  expect(steps.map(({ seqs }) => [seqs.length, seqs.at(-1)])).toEqual([
    [128, 128],
    [2, 130],
    [1, 131],
    [1, 132],
    [1, 133],
  ]);
});

it('refuses an entry while 10,000 are waiting', async () => {
  const { queue, steps, append } = openQueue();
  void append(1);
  await expect.poll(() => steps).toHaveLength(1);
  void append(...Array.from({ length: 10_000 }, (_, i) => i + 2));
  const refusal = expect.objectContaining({ code: 'REDIS_UNAVAILABLE' });
  expect(() => queue.append(entry(10_002))).toThrow(refusal);
  queue.close();
});

it('refuses an entry while 64 Mi characters are waiting, until a step has been sent', async () => {
  const { queue, steps, append, store } = openQueue();
  void append(1);
  await expect.poll(() => steps).toHaveLength(1);
  const text = 'x'.repeat(4 * 1024 * 1024);
  const large = (seq: number) => ({ ...entry(seq, text), safeFrames: text });
  const waiting = [2, 3, 4, 5, 6, 7, 8, 9].map((seq) => queue.append(large(seq)));
  const refusal = { code: 'REDIS_UNAVAILABLE', message: expect.stringContaining('8 events') };
  expect(() => queue.append(entry(10))).toThrow(expect.objectContaining(refusal));
  store(0);
  await expect.poll(() => steps).toHaveLength(2);
  const last = append(10);
  for (let step = 1; step < 10; step += 1) {
    await expect.poll(() => steps).toHaveLength(step + 1);
    store(step);
  }
  await Promise.all(waiting);
  expect(await last).toMatchObject([{ status: 'fulfilled' }]);
});

it('rejects unsent entries on close, and still settles those in flight', async () => {
  const { queue, steps, append, store, idleTimes } = openQueue();
  const sent = append(1);
  await expect.poll(() => steps).toHaveLength(1);
  const waiting = append(2);
  queue.close();
  expect(await waiting).toMatchObject([{ reason: { code: 'EVENT_LOG_CLOSED' } }]);
  store(0);
  expect(await sent).toMatchObject([{ status: 'fulfilled' }]);
  await expect.poll(idleTimes).toBe(1);
  expect(steps).toHaveLength(1);
});

it('is drained once the waiting entries are stored', async () => {
  const { queue, steps, append, store } = openQueue();
  void append(1);
  let isDrained = false;
  const drained = queue.drained().then(() => {
    isDrained = true;
  });
  await expect.poll(() => steps).toHaveLength(1);
  expect(isDrained).toBe(false);
  store(0);
  await drained;
});
