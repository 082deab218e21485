import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Audience } from '../../src/audience/audience.js';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventReader } from '../../src/delivery/event-reader.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { sqliteEventLog } from '../../src/log/sqlite-log.js';
import { silentLogger } from '../silent-logger.js';

const secret = 'tok-1234567890';
const large = 'x'.repeat(300_000);

const logs = {
  'a memory log': async () => new MemoryEventLog(),
  'a sqlite log': async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-reader-'));
    const log = sqliteEventLog({ path: join(directory, 'events.db') });
    onTestFinished(async () => {
      await log.close();
      await rm(directory, { recursive: true });
    });
    return log;
  },
};

/** The bridge's audience, and the reader's. */
const audiences: readonly [ofBridge: Audience, ofReader: Audience][] = [
  ['internal', 'internal'],
  ['frontend_safe', 'frontend_safe'],
  ['internal', 'frontend_safe'],
];

const cases = Object.entries(logs).flatMap(([name, open]) =>
  audiences.map(([ofBridge, ofReader]) => ({ name, open, ofBridge, ofReader })),
);

/** Reads until the reader has ended or is caught up. */
async function takeAll(reader: EventReader) {
  let text = '';
  while (!reader.isEnded) {
    const bytes = reader.read();
    if (bytes !== undefined) text += Buffer.from(bytes).toString();
    else if (!reader.isEnded && !reader.isCaughtUp) await reader.readable();
    else break;
  }
  return decodeFrames(text).map(({ envelope }) => envelope);
}

describe.each(cases)(
  '$ofReader readers of an ended session ($ofBridge bridge, $name)',
  ({ open, ofBridge, ofReader }) => {
    async function begin() {
      const bridge = new EventBridge('s', {
        audience: ofBridge,
        log: await open(),
        logger: silentLogger,
        schemaValidation: 'off',
        privateValues: () => [{ name: 'token', value: secret }],
      });
      const read = (lastEventId?: string) =>
        bridge.openReader({ audience: ofReader, ...(lastEventId !== undefined && { lastEventId }) });
      return { bridge, read };
    }

    it.each([
      ['an event', async (bridge: EventBridge) => bridge.emit('custom', { n: 1 })],
      ['the end of a turn', async (bridge: EventBridge) => bridge.emitFinal('done')],
      [
        'an empty turn',
        async (bridge: EventBridge) => {
          await bridge.emit('custom', { n: 1 });
          await bridge.emitFinal('done');
          await bridge.reopen();
        },
      ],
      [
        'text that was partly held back until the end',
        async (bridge: EventBridge) => {
          await bridge.emitAssistantChunk({ assistantId: 'a', text: 'the token is tok-12' });
        },
      ],
      [
        'text that was entirely held back until the end',
        async (bridge: EventBridge) => {
          await bridge.emit('custom', { n: 1 });
          await bridge.emitAssistantChunk({ assistantId: 'a', text: 'tok-12' });
        },
      ],
    ])('have ended when they are opened if they have seen everything, up to %s', async (_, play) => {
      const { bridge, read } = await begin();
      await bridge.emit('custom', { n: 0 });
      const [{ id: first } = { id: '' }] = await bridge.history();
      await play(bridge);
      await bridge.close();
      let cursor = first;
      for (let round = 0; round < 5; round += 1) {
        const reader = await read(cursor);
        if (reader.isEnded) break;
        const events = await takeAll(reader);
        expect(events).not.toEqual([]);
        cursor = events.at(-1)?.id ?? '';
      }
      expect((await read(cursor)).isEnded).toBe(true);
    });

    it.each([
      ['small', 'one'],
      ['large enough for a page of its own', large],
    ])('have not ended if they have yet to read a turn whose event is %s', async (_, response) => {
      const { bridge, read } = await begin();
      await bridge.emitFinal('first');
      const [{ id: cursor } = { id: '' }] = await bridge.history();
      // As this reader reads nothing, the newest pages stay in memory.
      const slow = await read(cursor);
      for (const act of [() => bridge.reopen(), () => bridge.emitFinal(response), () => bridge.close()]) {
        await act();
        await new Promise((resolve) => setImmediate(resolve));
      }
      const reader = await read(cursor);
      expect(reader.isEnded).toBe(false);
      expect((await takeAll(reader)).map(({ data }) => data.response)).toEqual([response]);
      slow.close();
    });
  },
);

describe('a reader with an unknown cursor', () => {
  it('gets stream_gap even if only the end of the session is left, and then ends', async () => {
    const log = new MemoryEventLog();
    const bridge = new EventBridge('s', { log, logger: silentLogger });
    await bridge.emitFinal('done');
    await bridge.reopen();
    await bridge.close();
    const elsewhere = new EventBridge('s', { log, logger: silentLogger });
    const reader = await elsewhere.openReader({ lastEventId: 'unknown-7' });
    expect(reader.isEnded).toBe(false);
    const events = await takeAll(reader);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['stream_gap', { reason: 'epoch', requested_id: 'unknown-7', oldest_id: null }],
    ]);
    expect(reader.isEnded).toBe(true);
    expect((await elsewhere.openReader({ lastEventId: events[0]?.id ?? '' })).isEnded).toBe(true);
  });
});

describe('a reader with a gap to report', () => {
  const reasonOf = (bytes: Uint8Array | undefined) =>
    decodeFrames(Buffer.from(bytes ?? []).toString()).map(({ envelope }) => envelope.data.reason);

  it('is not caught up until it has returned stream_gap, even if nothing else is left', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    await bridge.emitFinal('done');
    await bridge.reopen();
    const reader = await bridge.openReader({ lastEventId: 'unknown-7' });
    expect(reader.isCaughtUp).toBe(false);
    expect(reasonOf(reader.read())).toEqual(['epoch']);
    expect(reader.isCaughtUp).toBe(true);
    reader.close();
  });

  it('is caught up before the session begins, and gets stream_gap before its first event', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    const reader = await bridge.openReader({ lastEventId: 'unknown-7' });
    expect([reader.read(), reader.isCaughtUp]).toEqual([undefined, true]);
    await bridge.emit('custom', { n: 1 });
    await reader.readable();
    expect(reader.isCaughtUp).toBe(false);
    expect(reasonOf(reader.read())).toEqual(['epoch']);
    expect(reader.isCaughtUp).toBe(false);
    expect(reasonOf(reader.read())).toEqual([undefined]);
    expect(reader.isCaughtUp).toBe(true);
    reader.close();
  });
});

describe('a reader whose cursor is within an entry', () => {
  /** Two tools whose text is held back until they end; the end of each is an entry with two frames. */
  async function begin() {
    const log = new MemoryEventLog();
    const privateValues = () => [{ name: 'token', value: secret }];
    const options = { audience: 'frontend_safe', log, logger: silentLogger, privateValues } as const;
    const bridge = new EventBridge('s', options);
    for (const toolId of ['t', 'u']) await bridge.emitSystemToolChunk({ toolId, text: 'tok-12' });
    await bridge.emitSystemToolComplete({ toolId: 't', result: 1 });
    const lastEventId = (await bridge.history()).find(({ id }) => id.endsWith('.1'))?.id ?? '';
    return {
      log,
      bridge,
      lastEventId,
      endOther: () => bridge.emitSystemToolComplete({ toolId: 'u', result: 2 }),
    };
  }
  const typesOf = async (reader: EventReader) => (await takeAll(reader)).map(({ type }) => type);

  it('gets the rest of that entry and all of the next one', async () => {
    const { bridge, lastEventId, endOther } = await begin();
    const reader = await bridge.openReader({ lastEventId });
    expect(await typesOf(reader)).toEqual(['system_tool_complete']);
    await endOther();
    await reader.readable();
    expect(await typesOf(reader)).toEqual(['system_tool_chunk', 'system_tool_complete']);
    reader.close();
  });

  it('gets stream_gap and all of the next entry if its own is gone', async () => {
    const { log, bridge, lastEventId, endOther } = await begin();
    await endOther();
    const inspect = log.inspect.bind(log);
    log.inspect = async (sessionId) => {
      const status = await inspect(sessionId);
      await log.trim(sessionId, { throughSeq: 3, checkpoint: null, epoch: status?.epochs[0]?.epoch ?? '' });
      return status;
    };
    const reader = await bridge.openReader({ lastEventId });
    expect(await typesOf(reader)).toEqual(['stream_gap', 'system_tool_chunk', 'system_tool_complete']);
    reader.close();
  });
});

describe('a bridge that was closed before its session began', () => {
  it('opens readers that have already ended', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    await bridge.close();
    expect((await bridge.openReader()).isEnded).toBe(true);
    expect(bridge.subscriberCount).toBe(0);
  });

  it('opens a reader that ends on its first read, if the session was kept', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    await bridge.close({ keepSession: true });
    const reader = await bridge.openReader();
    expect(reader.isEnded).toBe(false);
    expect(await takeAll(reader)).toEqual([]);
    expect(reader.isEnded).toBe(true);
  });
});

it('a reader is closed at the end of an `await using` block', async () => {
  const bridge = new EventBridge('s', { logger: silentLogger });
  const reader = await bridge.openReader();
  {
    await using used = reader;
    expect(used.isEnded).toBe(false);
  }
  expect(reader.isEnded).toBe(true);
  expect(bridge.subscriberCount).toBe(0);
});

it('a reader knows whether the log had its session when it was opened', async () => {
  const bridge = new EventBridge('s', { logger: silentLogger });
  await using early = await bridge.openReader();
  await bridge.emit('custom', {});
  await using late = await bridge.openReader();
  expect([early.hasSession, late.hasSession]).toEqual([false, true]);
});
