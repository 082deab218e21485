import { expect, it } from 'vitest';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { runStoreSuite } from '../../src/testing/run-store-suite.js';

runStoreSuite({ name: 'memory', open: async () => ({ store: new MemoryRunStore() }) });

it('is closed at the end of a block with `await using`', async () => {
  const store = new MemoryRunStore();
  {
    await using used = store;
    await used.readRun('s');
  }
  await expect(store.readRun('s')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
});

const large = 'x'.repeat(9 * 1024 * 1024);
const MINUTE_MS = 60_000;
const run = { projectId: 'p', keyId: 'k', labels: {}, owner: 'o', nowMs: 1, leaseMs: 1000 };

it('forgets the oldest ended runs beyond 64 MiB, but no open one', async () => {
  await using store = new MemoryRunStore();
  const start = async (sessionId: string) => store.createRun({ ...run, sessionId, request: { large } });
  let nowMs = 1;
  const end = async (sessionId: string) =>
    store.append(sessionId, { entries: [], nowMs: (nowMs += MINUTE_MS), ends: true });
  for (let i = 0; i < 9; i += 1) await start(`run ${i}`);
  for (let i = 8; i > 0; i -= 1) await end(`run ${i}`);
  const listed = await store.listRuns({ projectId: 'p', limit: 20 });
  expect(new Set(listed.map(({ sessionId }) => sessionId))).toEqual(
    new Set(['run 0', 'run 1', 'run 2', 'run 3', 'run 4', 'run 5', 'run 6', 'run 7']),
  );
  expect(await store.readRun('run 8')).toBeUndefined();
  await store.createRun({ ...run, sessionId: 'too large', request: { large: large.repeat(8) } });
  await end('too large');
  expect(await store.listRuns({ projectId: 'p', ended: true, limit: 20 })).toMatchObject([
    { sessionId: 'too large' },
  ]);
});

it('keeps every run for a minute after its end', async () => {
  await using store = new MemoryRunStore();
  const end = async (sessionId: string, nowMs: number) => {
    await store.createRun({ ...run, sessionId, request: { large } });
    await store.append(sessionId, { entries: [], nowMs, ends: true });
  };
  for (let i = 0; i < 9; i += 1) await end(`run ${i}`, 1);
  await end('last', MINUTE_MS);
  expect(await store.listRuns({ projectId: 'p', limit: 20 })).toHaveLength(10);
  await end('later', MINUTE_MS + 1);
  expect(await store.listRuns({ projectId: 'p', limit: 20 })).toHaveLength(7);
});

it('counts what the journal of a run contains, and no longer counts removed runs', async () => {
  await using store = new MemoryRunStore();
  const endLarge = async (sessionId: string, nowMs: number) => {
    await store.createRun({ ...run, sessionId, request: {} });
    await store.append(sessionId, { entries: [{ kind: 'event', data: { large } }], nowMs, ends: true });
  };
  for (let i = 0; i < 7; i += 1) await endLarge(`old ${i}`, 2);
  expect(await store.sweep({ endedBeforeMs: 3, nowMs: 3 })).toBe(7);
  await store.createRun({ ...run, sessionId: 'old 0', request: {} });
  for (let i = 0; i < 7; i += 1) await endLarge(`new ${i}`, (i + 1) * MINUTE_MS);
  expect(await store.readRun('new 0')).toBeDefined();
  await endLarge('new 7', 8 * MINUTE_MS);
  expect(await store.readRun('new 0')).toBeUndefined();
  expect(await store.readRun('new 1')).toBeDefined();
  expect(await store.readRun('old 0')).toBeDefined();
});

it('forgets the oldest documents that expire beyond 64 MiB, but none that stays', async () => {
  await using store = new MemoryRunStore();
  const place = (id: string) => ({ projectId: 'p', collection: 'c', id });
  const hour = 60 * MINUTE_MS;
  let nowMs = 0;
  const put = async (id: string, expiresAtMs?: number) => {
    nowMs += MINUTE_MS;
    await store.putDocument({ ...place(id), value: large, nowMs, ...(expiresAtMs && { expiresAtMs }) });
  };
  await put('stays');
  for (let i = 0; i < 7; i += 1) await put('rewritten', hour);
  await put('expired', nowMs + MINUTE_MS + 1);
  await put('deleted', hour);
  await store.sweep({ endedBeforeMs: 0, nowMs });
  await store.deleteDocument(place('deleted'));
  for (const id of ['expired', 'deleted']) await put(id);
  for (let i = 0; i < 6; i += 1) await put(`${i}`, hour);
  expect(await store.readDocument(place('rewritten'), nowMs)).toBeDefined();
  await put('6', hour);
  expect(await store.readDocument(place('rewritten'), nowMs)).toBeUndefined();
  for (let i = 7; i < 10; i += 1) await put(`${i}`, hour);
  expect((await store.listDocuments({ ...place(''), nowMs, limit: 20 })).map(({ id }) => id)).toEqual([
    'stays',
    'expired',
    'deleted',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
  ]);
  expect(await store.readDocument(place('stays'), nowMs)).toBeDefined();
});
