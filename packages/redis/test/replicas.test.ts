import { initialRunState, reduceRun } from '@svc/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../tooling/bundle-program.ts';
import { eventSourceReader, pageReader, type SessionReader, wireReader } from './readers.js';
import { hasRedis, RedisServer } from './redis-server.js';
import { Replica } from './replica.js';
import { roundRobin } from './round-robin.js';

const stale = { code: 'EVENT_LOG_STALE_EPOCH' };

const textsOf = ({ events }: Pick<SessionReader, 'events'>) =>
  events.map(({ type, data }) => (type === 'status_message' ? data['message'] : type));
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i + 1}`);

describe.skipIf(!hasRedis)('a session on two replicas behind a round-robin proxy', () => {
  let program: Awaited<ReturnType<typeof bundleProgram>>;
  let redis: RedisServer;
  let sessions = 0;
  let producer: Replica;
  let other: Replica;
  /** The replicas that the proxy forwards to. */
  let inService: Replica[];
  let url: string;
  let pages: SessionReader[];
  let readers: SessionReader[];

  beforeAll(async () => {
    program = await bundleProgram(new URL('programs/replica-server.ts', import.meta.url));
    redis = await RedisServer.start();
  });
  afterAll(async () => {
    await redis?.stop();
    await program?.remove();
  });

  beforeEach(async () => {
    const options = { file: program.file, redis, prefix: `replicas-${(sessions += 1)}:` };
    const processes = await Promise.all([Replica.start(options), Replica.start(options)]);
    [producer, other] = processes;
    inService = [...processes];
    const proxy = await roundRobin(inService);
    url = proxy.url;
    pages = Array.from({ length: 6 }, () => pageReader(url));
    readers = [...pages, eventSourceReader(url), eventSourceReader(url)];
    onTestFinished(async () => {
      for (const reader of readers) reader.close();
      proxy.close();
      await Promise.all(processes.map((replica) => replica.end('SIGKILL')));
    });
    await producer.emit('session_start', { session_id: 'first-run' });
    await readersAre(4, producer);
    await readersAre(4, other);
    await producer.produce('a');
    await everyoneHas('a20');
  });

  const readersAre = (count: number, replica: Replica) => expect.poll(() => replica.readers()).toBe(count);

  const everyoneHas = (text: string | undefined, who = readers) =>
    expect.poll(() => who.filter((reader) => !textsOf(reader).includes(text)).length).toBe(0);

  const wireOf = ({ port }: Replica) => wireReader(`http://127.0.0.1:${port}${new URL(url).pathname}`);

  /** Ends the session and returns the texts that every reader received, which must be the same. */
  async function endAt(replica: Replica): Promise<unknown[]> {
    await replica.rest();
    await replica.emit('final', { response: 'done' });
    await replica.close();
    await Promise.all(readers.map(({ done }) => done));
    const [{ events } = { events: [] }] = readers;
    for (const reader of readers) expect(reader.events).toEqual(events);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    return textsOf({ events });
  }

  it('continues at the producer when the other replica is killed', async () => {
    await other.end('SIGKILL');
    await readersAre(8, producer);
    await everyoneHas(producer.acknowledged.at(-1));
    const given = await endAt(producer);
    expect(given).toEqual(['session_start', ...numbered('a', producer.acknowledged.length), 'final']);
  });

  it('continues at the producer when the other replica closes and tells its readers to reconnect', async () => {
    const wire = wireOf(other);
    await expect.poll(wire.text).toContain('"a20"');
    expect(await other.end('SIGTERM')).toBe(0);
    await wire.done;
    expect(wire.text()).toMatch(/\n\nretry: [12]?\d{3}\n\n$/);
    await readersAre(8, producer);
    await everyoneHas(producer.acknowledged.at(-1));
    const given = await endAt(producer);
    expect(given).toEqual(['session_start', ...numbered('a', producer.acknowledged.length), 'final']);
  });

  it('is taken over with a new turn when the producer is killed', async () => {
    await producer.end('SIGKILL');
    await other.reopen();
    await other.emit('session_start', { session_id: 'second-run' });
    await other.produce('b');
    await readersAre(8, other);
    await everyoneHas(other.acknowledged.at(-1));
    const late = pageReader(url);
    const given = await endAt(other);
    await late.done;

    // Messages stored just before the kill may not have been acknowledged.
    const stored = given.indexOf('session_start', 1) - 1;
    expect(stored).toBeGreaterThanOrEqual(producer.acknowledged.length);
    expect(producer.acknowledged).toEqual(numbered('a', producer.acknowledged.length));
    const next = ['session_start', ...numbered('b', other.acknowledged.length), 'final'];
    expect(given).toEqual(['session_start', ...numbered('a', stored), ...next]);
    expect(textsOf(late)).toEqual(next);
    const { turns } = (pages[0]?.events ?? []).reduce(reduceRun, initialRunState);
    expect(turns.map(({ status }) => status)).toEqual(['unknown', 'completed']);
  });

  it('is taken over in the same turn when the producer closes', async () => {
    expect(await producer.end('SIGTERM')).toBe(0);
    await other.produce('b');
    await readersAre(8, other);
    await everyoneHas(other.acknowledged.at(-1));
    const given = await endAt(other);
    const all = [...numbered('a', producer.acknowledged.length), ...numbered('b', other.acknowledged.length)];
    expect(given).toEqual(['session_start', ...all, 'final']);
  });

  it('is taken over from a frozen producer, whose late messages are refused until it reopens the session', async () => {
    const wire = wireOf(producer);
    // By then a page has learned the heartbeat interval.
    await expect.poll(() => wire.text().split(': keepalive').length).toBeGreaterThan(12);
    producer.signal('SIGSTOP');
    inService.splice(0, 1);
    await other.reopen();
    await other.produce('b');
    // A page notices that heartbeats no longer arrive.
    await everyoneHas('b1', pages);
    producer.signal('SIGCONT');
    await expect.poll(() => producer.refused).not.toEqual([]);
    for (const { code } of producer.refused) expect(code).toBe(stale.code);
    const late = producer.emit('status_message', { assistant_id: 'a', message: 'late' });
    await expect(late).rejects.toMatchObject(stale);
    await everyoneHas(other.acknowledged.at(-1));

    await producer.reopen();
    await producer.produce('c');
    await expect.poll(() => other.refused).not.toEqual([]);
    for (const { code } of other.refused) expect(code).toBe(stale.code);
    await everyoneHas('c20');
    const given = await endAt(producer);
    const fromProducer = (name: string) => producer.acknowledged.filter((text) => text.startsWith(name));
    const all = [...fromProducer('a'), ...other.acknowledged, ...fromProducer('c')];
    expect(given).toEqual(['session_start', ...all, 'final']);
  });
});
