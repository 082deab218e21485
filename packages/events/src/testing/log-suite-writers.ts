import type { JsonValue } from '@svc/contracts';
import type { EpochStart } from '../log/event-log.js';
import { SESSION, entry, frameOf, framesOf, readAll, write } from './log-suite.js';
import type { SuiteLogs } from './log-suite.js';
import { vitest } from './vitest.js';

/** Declares the tests on writers that take over a session. */
export function describeWriters(logs: () => SuiteLogs): void {
  const { describe, expect, it } = vitest();
  describe('when writers take over', () => {
    it('gives every writer its own epoch of digits and lower-case letters', async () => {
      const { log } = logs();
      const epochs = new Set<string>();
      for (let i = 0; i < 5; i += 1) epochs.add((await log.open(SESSION)).epoch);
      expect(epochs.size).toBe(5);
      for (const epoch of epochs) expect(epoch).toMatch(/^[0-9a-z]{1,32}$/);
    });

    it('reports the newest 32 writers and where each began', async () => {
      const { log } = logs();
      const writers: EpochStart[] = [];
      for (let seq = 1; seq <= 34; seq += 1) {
        const { epoch } = await log.open(SESSION);
        writers.push({ epoch, fromSeq: seq });
        await write(log, { epoch, from: seq });
      }
      expect((await log.inspect(SESSION))?.epochs.slice(-32)).toEqual(writers.slice(-32));
    });

    it('rejects a stale epoch and writes nothing for it', async () => {
      const { log, connect } = logs();
      const other = await connect();
      const { epoch: stale } = await log.open(SESSION);
      await write(log, { epoch: stale, from: 1, to: 2 });
      const { epoch, headSeq } = await other.open(SESSION);
      expect(headSeq).toBe(2);
      await expect(log.append(entry(3), { epoch: stale })).rejects.toMatchObject({
        code: 'EVENT_LOG_STALE_EPOCH',
      });
      await other.append(entry(3, { frames: 'data: new\n\n' }), { epoch });
      await expect(log.append(entry(4), { epoch: stale })).rejects.toMatchObject({
        code: 'EVENT_LOG_STALE_EPOCH',
      });
      expect(framesOf(await readAll(log, 0))).toEqual([frameOf(1), frameOf(2), 'data: new\n\n']);
      expect((await log.inspect(SESSION))?.epochs).toEqual([
        { epoch: stale, fromSeq: 1 },
        { epoch, fromSeq: 3 },
      ]);
    });

    it('reopens a session for its current writer, but not for one that was replaced', async () => {
      const { log, connect } = logs();
      const other = await connect();
      const first = await log.open(SESSION);
      await write(log, { epoch: first.epoch, from: 1 });
      const again = await log.open(SESSION, first);
      await write(log, { epoch: again.epoch, from: 2 });
      const { epoch } = await other.open(SESSION);
      for (const stale of [first, again])
        await expect(log.open(SESSION, stale)).rejects.toMatchObject({ code: 'EVENT_LOG_STALE_EPOCH' });
      await write(other, { epoch, from: 3 });
      expect((await log.inspect(SESSION))?.epochs.map(({ fromSeq }) => fromSeq)).toEqual([1, 2, 3]);
    });

    it('reopens a removed session for its former writer, without its old content', async () => {
      const { log } = logs();
      const writer = await log.open(SESSION);
      await log.append(entry(1, { kind: 'turn_start', note: 'old' }), writer);
      await log.append(entry(2, { note: 'old' }), writer);
      await log.trim(SESSION, { throughSeq: 1, checkpoint: 'old', epoch: writer.epoch });
      await log.remove(SESSION);
      const { epoch, ...opened } = await log.open(SESSION, writer);
      expect(opened).toEqual({
        epochs: [{ epoch, fromSeq: 1 }],
        oldestSeq: 1,
        headSeq: 0,
        turnSeq: 0,
        headKind: undefined,
        notes: [],
      });
      await log.append(entry(1, { frames: 'data: new\n\n' }), { epoch });
      expect(framesOf(await readAll(log, 0))).toEqual(['data: new\n\n']);
    });

    it('rejects writes to a session that was never opened or was removed', async () => {
      const { log } = logs();
      const stale = { code: 'EVENT_LOG_STALE_EPOCH' };
      await expect(log.append(entry(1), { epoch: 'abc' })).rejects.toMatchObject(stale);
      const { epoch } = await log.open(SESSION);
      await log.remove(SESSION);
      await expect(log.append(entry(1), { epoch })).rejects.toMatchObject(stale);
      // Trimming it changes nothing, as with any stale writer.
      await log.trim(SESSION, { throughSeq: 1, checkpoint: 'old', epoch });
      expect(await log.inspect(SESSION)).toBeUndefined();
    });

    it('rejects an entry that does not follow the last one', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1 });
      await expect(log.append(entry(3), { epoch })).rejects.toMatchObject({ code: 'EVENT_LOG_GAP' });
      expect((await log.inspect(SESSION))?.headSeq).toBe(1);
    });

    it('writes an entry once when its append is repeated', async () => {
      const { log } = logs();
      const { epoch } = await log.open(SESSION);
      await write(log, { epoch, from: 1, to: 2 });
      await write(log, { epoch, from: 2 });
      await write(log, { epoch, from: 1 });
      const next = await log.open(SESSION);
      await write(log, { epoch: next.epoch, from: 3 });
      await write(log, { epoch: next.epoch, from: 3 });
      expect(framesOf(await readAll(log, 0))).toEqual([1, 2, 3].map(frameOf));
    });

    it('does not mistake an entry of another writer for a repeat', async () => {
      const { log } = logs();
      const first = await log.open(SESSION);
      await write(log, { epoch: first.epoch, from: 1, to: 2 });
      const { epoch } = await log.open(SESSION);
      await expect(log.append(entry(2), { epoch })).rejects.toMatchObject({ code: 'EVENT_LOG_GAP' });
    });

    it('passes the checkpoint and the notes to a new writer, but not to readers', async () => {
      const { log, connect } = logs();
      const { epoch } = await log.open(SESSION);
      await log.append(entry(1, { note: { a: [1, 'ü', null] } }), { epoch });
      await log.append(entry(2), { epoch });
      const notes: JsonValue[] = ['text', null, 0, false, ''];
      for (const [i, note] of notes.entries()) await log.append(entry(3 + i, { note }), { epoch });
      await log.append(entry(8, { kind: 'turn_end' }), { epoch });
      await log.trim(SESSION, { throughSeq: 1, checkpoint: { state: ['ü'] }, epoch });
      const opened = await (await connect()).open(SESSION);
      expect(opened).toMatchObject({ oldestSeq: 2, headSeq: 8, checkpoint: { state: ['ü'] } });
      expect(opened.notes).toEqual(notes.map((note, i) => ({ seq: 3 + i, note })));
      const again = await log.open(SESSION);
      expect([again.checkpoint, again.notes]).toEqual([opened.checkpoint, opened.notes]);
      expect(Object.keys((await readAll(log, 0))[0] ?? {}).sort()).toEqual([
        'bytes',
        'ends',
        'firstSeq',
        'marks',
      ]);
    });
  });
}
