import { describe, expect, it } from 'vitest';
import type { Audience } from '../../src/audience/audience.js';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

/** A bridge whose readers are tested, and a function that creates a bridge of another process to write the session. */
const bridges = (audience: Audience) => {
  const log = new MemoryEventLog();
  const writer = () => new EventBridge('s', { log, logger: silentLogger });
  return { log, writer, replica: new EventBridge('s', { audience, log, logger: silentLogger }) };
};

const seenBy = async (bridge: EventBridge, audience: Audience) =>
  (await readAll(bridge.generateSse({ audience }))).map(({ type, data }) => data['n'] ?? type);

describe.each([
  ['internal', 'internal'],
  ['internal', 'frontend_safe'],
  ['frontend_safe', 'frontend_safe'],
] as const)('a session that was removed and started again, on a bridge that is %s', (ofBridge, audience) => {
  it(`shows none of its earlier events (${audience} reader)`, async () => {
    const { log, writer, replica } = bridges(ofBridge);
    const before = writer();
    for (const n of [1, 2, 3]) await before.emit('custom', { n });
    await before.emitFinal('before');
    expect(await seenBy(replica, audience)).toEqual([1, 2, 3, 'final']);
    await log.remove('s');
    const after = writer();
    await after.emit('custom', { n: 4 });
    await after.emitFinal('after');
    expect(await seenBy(replica, audience)).toEqual([4, 'final']);
  });

  it(`shows only its new events while another reader is behind (${audience} readers)`, async () => {
    const { log, writer, replica } = bridges(ofBridge);
    const before = writer();
    const slow = await replica.openReader({ audience });
    await before.emit('custom', { n: 1 });
    await expect.poll(() => slow.isCaughtUp).toBe(false);
    await log.remove('s');
    const after = writer();
    await after.emit('custom', { n: 2 });
    await after.emitFinal('after');
    expect(await seenBy(replica, audience)).toEqual([2, 'final']);
    slow.close();
  });

  it(`has no gap for a reader that comes when the earlier ones have left (${audience} readers)`, async () => {
    const { log, writer, replica } = bridges(ofBridge);
    const before = writer();
    const early = await replica.openReader({ audience });
    for (const n of [1, 2, 3]) await before.emit('custom', { n });
    await expect.poll(() => early.read() && early.isCaughtUp).toBe(true);
    early.close();
    await log.remove('s');
    await writer().emit('custom', { n: 4 });
    const reader = await replica.openReader({ audience });
    expect(String(reader.read())).toContain('"n":4');
    expect([reader.read(), reader.isCaughtUp]).toEqual([undefined, true]);
    reader.close();
  });

  it(`shows its new event while another reader is behind by an entry without a frame (${audience} readers)`, async () => {
    const { log, writer, replica } = bridges(ofBridge);
    const before = writer();
    await before.emit('custom', { n: 1 });
    const slow = await replica.openReader({ audience });
    while (slow.read());
    await before.reopen();
    await expect.poll(() => slow.isCaughtUp).toBe(false);
    await log.remove('s');
    const after = writer();
    await after.emit('custom', { n: 2 });
    const [first] = await after.history();
    await after.emitFinal('after');
    const reader = await replica.openReader({ audience, lastEventId: first?.id });
    expect([String(reader.read()), reader.isEnded]).toEqual([
      expect.stringContaining('event: final\n'),
      true,
    ]);
    slow.close();
  });
});
