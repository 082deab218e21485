import { expect, it } from 'vitest';
import { KeyWatch } from '../src/key-watch.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { readOptions } from '../src/options.js';
import { randomText } from '../src/random-text.js';
import { StreamRegistry, type StreamEnd } from '../src/streams/stream-registry.js';
import { readSessionState } from '../src/sessions/record/find-session.js';
import { script } from './sessions/replicas.js';
import { request, toolSpec } from './support/requests.js';
import { SessionBench } from './support/session-bench.js';

const intervalMs = 5_000;
const go = request('go', [toolSpec('b')]);

/** An open watch. The ring does not know `k`, the key of the bench's runs, as if another process had revoked it. */
function openWatch() {
  const bench = new SessionBench({ planner: script() });
  const { store, clock, manager } = bench;
  const keys = new KeyRing({ store, clock, randomText, fixed: [] });
  const streams = new StreamRegistry(readOptions({}).limits);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const watch = new KeyWatch({ keys, manager, streams, store, clock, intervalMs, onError });
  watch.open();
  const ended: string[] = [];
  const openStream = (keyId: string, ownRun?: string) =>
    streams.add({
      keyId,
      projectId: 'p',
      ownRun,
      end: (reason?: StreamEnd) => void ended.push(`${keyId} ${reason?.code}`),
    });
  return { bench, keys, watch, openStream, ended, errors };
}

it('ends only the streams of a key that another process revoked, even without a run', async () => {
  const { bench, keys, openStream, ended } = openWatch();
  const { id } = await keys.create({ project: 'p' });
  openStream(id);
  openStream('gone');
  bench.clock.advance(intervalMs);
  await expect.poll(() => ended).toEqual(['gone KEY_REVOKED']);
});

it('ends the runs of a key that another process revoked, even without a stream', async () => {
  const { bench } = openWatch();
  const ids = [await bench.start(go), await bench.start(go)];
  for (const id of ids) await bench.call(id, 'b');
  bench.clock.advance(intervalMs);
  for (const id of ids)
    expect(await bench.final(id)).toMatchObject({ status: 'failed', error_info: { code: 'KEY_REVOKED' } });
});

it('ends the runs that streams of a revoked key read, although another process works at them', async () => {
  const { bench, openStream } = openWatch();
  const { store, clock } = bench;
  const sessionId = 'elsewhere';
  const run = { sessionId, projectId: 'p', keyId: 'gone', owner: 'other', request: {}, labels: {} };
  await store.createRun({ ...run, leaseMs: 60_000, nowMs: clock.nowMs() });
  openStream('gone', sessionId);
  clock.advance(intervalMs);
  const cancelled = expect.objectContaining({ cancelled: expect.objectContaining({ code: 'KEY_REVOKED' }) });
  await expect.poll(() => readSessionState(store, sessionId)).toEqual(cancelled);
});

it('ends the streams of a revoked key although the check of another one fails or gets no answer', async () => {
  const { bench, openStream, ended, errors } = openWatch();
  const { readDocument } = bench.store;
  bench.store.readDocument = async (place, nowMs) => {
    if (place.id === 'silent') return new Promise<never>(() => {});
    if (place.id === 'broken') throw new Error('The store is away.');
    return Reflect.apply(readDocument, bench.store, [place, nowMs]);
  };
  for (const keyId of ['silent', 'gone']) openStream(keyId);
  bench.clock.advance(intervalMs);
  await expect.poll(() => ended).toEqual(['gone KEY_REVOKED']);
  for (const keyId of ['broken', 'gone later']) openStream(keyId);
  bench.clock.advance(intervalMs);
  await expect.poll(() => ended).toContain('gone later KEY_REVOKED');
  expect(errors).toMatchObject([{ message: 'The store is away.' }]);
});

it('reports a run that it could not end', async () => {
  const { bench, errors } = openWatch();
  await bench.call(await bench.start(go), 'b');
  bench.store.append = () => Promise.reject(new Error('The store is away.'));
  bench.clock.advance(intervalMs);
  await expect.poll(() => errors).toMatchObject([{ message: 'The store is away.' }]);
});

it('checks no keys and ignores revocations once it is closed', async () => {
  const { bench, keys, watch, openStream, ended } = openWatch();
  const { id } = await keys.create({ project: 'p' });
  openStream(id);
  watch.close();
  expect(bench.clock.waiting).toBe(0);
  await keys.revoke(id);
  expect(ended).toEqual([]);
});
