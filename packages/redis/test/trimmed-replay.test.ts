import { EventBridge, type EventBridgeOptions, type EventReader } from '@svc/events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { redisEventLog } from '../src/index.js';
import { range, sessionId, silent, useSessions } from './log-session.js';
import { hasRedis, RedisServer } from './redis-server.js';

useSessions();

/** The number of each event that a reader returns, or `gap` for a gap. */
function read(reader: EventReader): (number | string)[] {
  const bytes = reader.read();
  const frames = bytes ? Buffer.from(bytes).toString().split('\n\n').slice(0, -1) : [];
  return frames.map((frame) =>
    frame.includes('\nevent: stream_gap\n') ? 'gap' : Number(/^id: .*-(\d+)$/m.exec(frame)?.[1]),
  );
}

async function readTo(reader: EventReader, isDone: (seen: (number | string)[]) => boolean) {
  const seen: (number | string)[] = [];
  while (!isDone(seen)) {
    const some = read(reader);
    seen.push(...some);
    if (reader.isEnded) return [...seen, 'end'];
    if (some.length === 0) await reader.readable();
  }
  return seen;
}

describe.skipIf(!hasRedis)('a replay while the stream is trimmed by hand', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  async function replaying(count: number, more: EventBridgeOptions = {}) {
    const client = server.client();
    const log = redisEventLog({ client });
    // Readers of an internal bridge read the log themselves; others may get pages that this process has cached.
    const options = { log, audience: 'internal' as const, maxHistory: 10_000, logger: silent, ...more };
    const writer = new EventBridge(sessionId, options);
    const reading = new EventBridge(sessionId, options);
    onTestFinished(async () => {
      await writer.close({ keepSession: true });
      await reading.close({ keepSession: true });
      await log.close();
    });
    const emit = () => writer.emitStatusMessage({ assistantId: 'a', message: 'm' });
    await Promise.all(range(1, count).map(emit));
    const trim = (keptFrom: number) => client.xtrim(`svc:{${sessionId}}:events`, 'MINID', String(keptFrom));
    const remove = (seq: number) => client.xdel(`svc:{${sessionId}}:events`, `${seq}-0`);
    const open = (cursor?: string) => reading.openReader(cursor === undefined ? {} : { lastEventId: cursor });
    return { open, reader: await open(), emit, trim, remove };
  }

  it('has a gap where one entry in the middle was deleted, and the right ids after it', async () => {
    const { open, reader, remove } = await replaying(20);
    await remove(8);
    const again = await open(/^id: (.*-3)$/m.exec(Buffer.from(reader.read() ?? []).toString())?.[1]);
    const seen = await readTo(again, (all) => all.at(-1) === 20);
    expect(seen).toEqual([...range(4, 7), 'gap', ...range(9, 20)]);
    reader.close();
    again.close();
  });

  it('has one gap where entries are missing, and no event twice', async () => {
    const { reader, emit, trim } = await replaying(1_000);
    const first = read(reader);
    await trim(801);
    await emit();
    const rest = await readTo(reader, (seen) => seen.at(-1) === 1_001);
    expect([...first, ...rest]).toEqual([...range(1, first.length), 'gap', ...range(801, 1_001)]);
    reader.close();
  });

  it.each<[string, EventBridgeOptions]>([
    ['any number', {}],
    ['a bounded number', { queueMaxsize: 50, backpressure: 'drop_oldest' }],
  ])(
    'has its gap at once when nothing is left, and continues live, if %s of events may wait',
    async (_, options) => {
      const { open, reader, emit, trim } = await replaying(1_000, options);
      const first = read(reader);
      // What one caught-up reader was told, all readers of the process were; a later one may read it from the log.
      const other = await open();
      await readTo(other, (seen) => seen.at(-1) === 1_000);
      await emit();
      await readTo(other, (seen) => seen.at(-1) === 1_001);
      other.close();
      await trim(1_002);
      const rest = await readTo(reader, (seen) => seen.length > 0 && reader.isCaughtUp);
      expect(rest).toEqual(['gap']);
      expect(reader.read()).toBeUndefined();
      const next = readTo(reader, (seen) => seen.length > 0);
      await emit();
      expect([...first, ...(await next)]).toEqual([...range(1, first.length), 1_002]);
      reader.close();
    },
  );
});
