import { chaosProxy, type Chaos } from '@svc/events/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../tooling/bundle-program.ts';
import { hasRedis, RedisServer } from './redis-server.js';
import { Replica, SESSION } from './replica.js';
import { roundRobin } from './round-robin.js';

const PLACES = 200;
const SEED = 20_260_101;

/** Pseudo-random numbers between 0 and 1, the same for a given seed. */
function* seeded(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Reads a session as a browser does: whole frames only, reconnecting with the last id until the server answers 204. */
async function readSession(url: string): Promise<Map<string, string>> {
  const frames = new Map<string, string>();
  for (let lastEventId = ''; ;) {
    const response = await fetch(url, {
      headers: lastEventId === '' ? {} : { 'last-event-id': lastEventId },
    });
    if (response.status === 204) return frames;
    for (const frame of await wholeFrames(response)) {
      const id = /^id: (.*)$/m.exec(frame)?.[1];
      if (id === undefined) continue;
      if (!frames.has(id)) frames.set(id, frame);
      lastEventId = id;
    }
  }
}

async function wholeFrames(response: Response): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {
    // The connection was cut: what arrived before counts.
  }
  return text.split(/(?<=\n\n)/).filter((frame) => frame.endsWith('\n\n'));
}

const troubles = [
  (at) => ({ cutAtByte: at }),
  (at) => ({ halfCloseAtByte: at }),
  (at) => ({ cutAtByte: at, duplicatesFrames: true }),
  (at) => ({ cutAtByte: at, chunkBytes: 1 + (at % 13) }),
  (at) => ({ cutAtByte: at + 50, stallAtByte: at, stallMs: 1 }),
] satisfies ((at: number) => Chaos)[];

describe.skipIf(!hasRedis)('a session served by two replicas', () => {
  let program: Awaited<ReturnType<typeof bundleProgram>>;
  let redis: RedisServer;
  beforeAll(async () => {
    program = await bundleProgram(new URL('programs/replica-server.ts', import.meta.url));
    redis = await RedisServer.start();
  });
  afterAll(async () => {
    await redis?.stop();
    await program?.remove();
  });

  it(`reads the same when a response is cut, stalled, duplicated or re-chunked at any of ${PLACES} places`, async () => {
    const options = { file: program.file, redis, prefix: 'cut:' };
    const replicas = await Promise.all([Replica.start(options), Replica.start(options)]);
    const robin = await roundRobin(replicas);
    onTestFinished(async () => {
      robin.close();
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
    });
    const [producer] = replicas;
    for (let n = 1; n <= 6; n += 1) {
      await producer.emit('assistant_chunk', { assistant_id: 'a', text: `Grüße ${n} 😀 \u2028` });
    }
    await producer.emit('final', { response: 'done' });
    await producer.close();
    const uncut = await readSession(robin.url);
    expect(uncut.size).toBe(7);
    const length = Buffer.byteLength([...uncut.values()].join(''));

    const random = seeded(SEED);
    let chaos: Chaos = {};
    let isFirst = false;
    await using proxy = await chaosProxy(new URL(robin.url).origin, () => {
      const now = isFirst ? chaos : {};
      isFirst = false;
      return now;
    });
    for (let place = 0; place < PLACES; place += 1) {
      const at = Math.floor((random.next().value ?? 0) * length);
      chaos = troubles[place % troubles.length]?.(at) ?? {};
      isFirst = true;
      const view = await readSession(`${proxy.url}/svc/events/${SESSION}`);
      expect({ chaos, view: [...view] }).toEqual({ chaos, view: [...uncut] });
    }
    // Each time a stream and the 204 after it, and usually one more stream.
    expect(proxy.requests.length).toBeGreaterThan(2.5 * PLACES);
  });
});
