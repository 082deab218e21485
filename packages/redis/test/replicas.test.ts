import { openEventStream } from '@svc/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasRedis, RedisServer } from './redis-server.js';
import { Replica, roundRobin } from './replica.js';

/** A reader as a page has it. */
function read(url: string) {
  const events: { id: string; text: string }[] = [];
  const stream = openEventStream({ url });
  const done = (async () => {
    for await (const { id, type, data } of stream) {
      const { message } = data as { message?: string };
      events.push({ id, text: message ?? type });
    }
  })();
  onTestFinished(() => stream.close());
  return { events, done, texts: () => events.map(({ text }) => text) };
}

describe.skipIf(!hasRedis)('two replicas behind a round-robin proxy', () => {
  let redis: RedisServer;
  let prefixes = 0;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis?.stop());

  it.each(['the producer', 'the other one'])(
    'serve one session to all readers, and go on when %s is killed',
    async (which) => {
      const prefix = `replicas-${(prefixes += 1)}:`;
      const replicas = [await Replica.start(redis, prefix), await Replica.start(redis, prefix)];
      const [first, second] = replicas as [Replica, Replica];
      const proxy = await roundRobin(replicas);
      onTestFinished(async () => {
        await Promise.all(replicas.map((replica) => replica.kill()));
        proxy.close();
      });
      let producer = first.bridge;
      const say = async (from: number, to: number) => {
        for (let n = from; n <= to; n += 1)
          await producer.emitStatusMessage({ assistantId: 'a', message: `m${n}` });
      };
      await say(1, 5);
      const readers = Array.from({ length: 6 }, () => read(proxy.url));
      await vi.waitFor(() => {
        expect(first.bridge.subscriberCount + second.bridge.subscriberCount).toBe(6);
      }, 10_000);
      expect([...proxy.served.values()]).toEqual([3, 3]);
      await say(6, 50);

      const killed = which === 'the producer' ? first : second;
      const survivor = killed === first ? second : first;
      replicas.splice(replicas.indexOf(killed), 1);
      await killed.kill();
      if (which === 'the producer') {
        // Whoever takes the run over opens the session anew; the dead one cannot write any more.
        producer = survivor.bridge;
      }
      await say(51, 100);
      await producer.emitFinal('done');
      await producer.close();
      await Promise.all(readers.map(({ done }) => done));
      const expected = [...Array.from({ length: 100 }, (_, i) => `m${i + 1}`), 'final'];
      for (const { texts, events } of readers) {
        expect(texts().slice(0, 101)).toEqual(expected);
        expect(events.slice(0, 101).map(({ id }) => id)).toEqual(
          readers[0]?.events.slice(0, 101).map(({ id }) => id),
        );
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      }
    },
  );

  it('refuse what a producer says after another one has taken the session over', async () => {
    const prefix = `replicas-${(prefixes += 1)}:`;
    const [first, second] = [await Replica.start(redis, prefix), await Replica.start(redis, prefix)];
    onTestFinished(async () => {
      await Promise.all([first.kill(), second.kill()]);
    });
    await first.bridge.emitStatusMessage({ assistantId: 'a', message: 'one' });
    await second.bridge.emitStatusMessage({ assistantId: 'a', message: 'two' });
    await expect(first.bridge.emitStatusMessage({ assistantId: 'a', message: 'late' })).rejects.toMatchObject(
      {
        code: 'EVENT_LOG_STALE_EPOCH',
      },
    );
    const history = await second.bridge.history();
    expect(history.map(({ data }) => (data as { message?: string }).message)).toEqual(['one', 'two']);
  });
});
