import { SESSION, entry, frameOf, framesOf, readAll, write } from './log-suite.js';
import type { SuiteLogs } from './log-suite.js';
import { vitest } from './vitest.js';

/** Declares the tests on storing and trimming entries. */
export function describeEntries(logs: () => SuiteLogs): void {
  const { describe, expect, it } = vitest();
  it('has no data on a session before it is opened', async () => {
    const { log } = logs();
    expect(await log.inspect(SESSION)).toBeUndefined();
    expect(framesOf(await log.readAfter(SESSION, { afterSeq: 0 }))).toEqual([]);
  });

  it('returns what was appended, in order and byte for byte', async () => {
    const { log } = logs();
    const { epoch } = await log.open(SESSION);
    const texts = [
      'id: a\ndata: plain\n\n',
      'data: ünïcode 你好 😀 \u2028\n\n',
      '',
      'data: 1\n\ndata: 2\n\n',
    ];
    for (const [i, frames] of texts.entries()) await log.append(entry(i + 1, { frames }), { epoch });
    expect(framesOf(await readAll(log, 0))).toEqual(texts);
    expect(framesOf(await readAll(log, 2))).toEqual(texts.slice(2));
    expect(framesOf(await readAll(log, 4))).toEqual([]);
    expect((await log.readAfter(SESSION, { afterSeq: 4 })).firstSeq).toBe(5);
  });

  it('stores appends in the order they were made, even when none is awaited', async () => {
    const { log } = logs();
    const { epoch } = await log.open(SESSION);
    const appends = Array.from({ length: 50 }, (_, i) => log.append(entry(i + 1), { epoch }));
    await Promise.all(appends);
    expect(framesOf(await readAll(log, 0))).toEqual(Array.from({ length: 50 }, (_, i) => frameOf(i + 1)));
  });

  it('reads large sessions page by page from any position', async () => {
    const { log } = logs();
    const { epoch } = await log.open(SESSION);
    const frames = (seq: number) => `id: ${seq}\ndata: ${'x'.repeat(seq * 37)}\n\n`;
    const count = 200;
    await Promise.all(
      Array.from({ length: count }, (_, i) => log.append(entry(i + 1, { frames: frames(i + 1) }), { epoch })),
    );
    for (const afterSeq of [0, 1, 57, 199, 200]) {
      const expected = Array.from({ length: count - afterSeq }, (_, i) => frames(afterSeq + i + 1));
      expect(framesOf(await readAll(log, afterSeq))).toEqual(expected);
    }
  });

  it('marks the entries that start or end a turn or end the session', async () => {
    const { log } = logs();
    const { epoch } = await log.open(SESSION);
    await write(log, { epoch, from: 1 });
    await write(log, { epoch, from: 2, kind: 'turn_end' });
    await write(log, { epoch, from: 3, kind: 'turn_start' });
    await write(log, { epoch, from: 4 });
    await write(log, { epoch, from: 5, kind: 'session_end' });
    expect((await readAll(log, 0)).flatMap(({ marks }) => marks)).toEqual([
      { seq: 2, kind: 'turn_end' },
      { seq: 3, kind: 'turn_start' },
      { seq: 5, kind: 'session_end' },
    ]);
    const [page] = await readAll(log, 2);
    expect(page?.marks.map(({ seq }) => seq)).toEqual([3, 5]);
    expect(await log.inspect(SESSION)).toEqual({
      epochs: [{ epoch, fromSeq: 1 }],
      oldestSeq: 1,
      headSeq: 5,
      turnSeq: 3,
      headKind: 'session_end',
    });
  });

  it('stores the frames for frontend_safe readers separately', async () => {
    const { log } = logs();
    const { epoch } = await log.open(SESSION);
    await log.append(entry(1), { epoch });
    await log.append(entry(2, { safeFrames: 'data: safe ü\n\n' }), { epoch });
    await log.append(entry(3, { safeFrames: '' }), { epoch });
    const safe = (await readAll(log, 0)).flatMap(({ safeFrames }) => [...(safeFrames ?? [])]);
    expect(new Map(safe)).toEqual(new Map([[2, 'data: safe ü\n\n'], [3, '']])); // prettier-ignore
  });

  it('keeps sessions separate', async () => {
    const { log } = logs();
    const one = await log.open(SESSION);
    const other = await log.open('session:2/ü');
    await log.append(entry(1, { frames: 'data: one\n\n' }), { epoch: one.epoch });
    await log.append({ ...entry(1, { frames: 'data: other\n\n' }), sessionId: 'session:2/ü' }, other);
    expect(framesOf(await readAll(log, 0))).toEqual(['data: one\n\n']);
    await write(log, { epoch: one.epoch, from: 2, kind: 'turn_end' });
    await log.trim(SESSION, { throughSeq: 1, checkpoint: 'one', epoch: one.epoch });
    expect(framesOf([await log.readAfter('session:2/ü', { afterSeq: 0 })])).toEqual(['data: other\n\n']);
    const held = {
      epochs: [{ epoch: other.epoch, fromSeq: 1 }],
      oldestSeq: 1,
      headSeq: 1,
      headKind: 'event',
    };
    expect(await log.inspect('session:2/ü')).toMatchObject(held);
    expect((await log.open('session:2/ü')).checkpoint).toBeUndefined();
  });

  it('returns pages that later appends do not change', async () => {
    const { log } = logs();
    const { epoch } = await log.open(SESSION);
    await write(log, { epoch, from: 1 });
    const page = await log.readAfter(SESSION, { afterSeq: 0 });
    await write(log, { epoch, from: 2, kind: 'turn_end' });
    expect([framesOf(page), page.marks]).toEqual([[frameOf(1)], []]);
  });

  describe('when trimmed', () => {
    it('drops the oldest entries and reads from the oldest one kept', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 10 });
      await log.trim(SESSION, { throughSeq: 6, checkpoint: null, epoch });
      expect(await log.inspect(SESSION)).toMatchObject({ oldestSeq: 7, headSeq: 10 });
      const page = await log.readAfter(SESSION, { afterSeq: 2 });
      expect(page.firstSeq).toBe(7);
      expect(framesOf(await readAll(log, 2))).toEqual([7, 8, 9, 10].map(frameOf));
      expect(framesOf(await readAll(log, 8))).toEqual([9, 10].map(frameOf));
    });

    it('continues the sequence numbers when no entry is left', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 3 });
      await log.trim(SESSION, { throughSeq: 3, checkpoint: null, epoch });
      expect(await log.inspect(SESSION)).toMatchObject({ oldestSeq: 4, headSeq: 3 });
      await write(log, { epoch, from: 4 });
      expect(framesOf(await readAll(log, 0))).toEqual([frameOf(4)]);
    });

    it('never restores entries, nor trims beyond the newest one', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 5 });
      await log.trim(SESSION, { throughSeq: 3, checkpoint: 'first', epoch });
      await log.trim(SESSION, { throughSeq: 1, checkpoint: 'second', epoch });
      expect(await log.inspect(SESSION)).toMatchObject({ oldestSeq: 4, headSeq: 5 });
      await log.trim(SESSION, { throughSeq: 9, checkpoint: 'third', epoch });
      expect(await log.inspect(SESSION)).toMatchObject({ oldestSeq: 6, headSeq: 5 });
      await write(log, { epoch, from: 6 });
      expect(framesOf(await readAll(log, 0))).toEqual([frameOf(6)]);
      expect((await log.open(SESSION)).checkpoint).toBe('third');
    });

    it('ignores a stale writer', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 3 });
      const taker = await log.open(SESSION);
      await log.trim(SESSION, { throughSeq: 3, checkpoint: 'stale', epoch });
      expect(await log.inspect(SESSION)).toMatchObject({ oldestSeq: 1, headSeq: 3 });
      expect(taker.checkpoint).toBeUndefined();
      expect((await log.open(SESSION)).checkpoint).toBeUndefined();
    });
  });
}
