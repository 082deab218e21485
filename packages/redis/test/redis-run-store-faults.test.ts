import { inspect } from 'node:util';
import type { JournalRecord, NewRun, RunStore } from '@svc/contracts/orchestrator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { redisRunStore, type RedisRunStoreOptions } from '../src/index.js';
import { CuttingProxy } from './cutting-proxy.js';
import { hasRedis, RedisServer } from './redis-server.js';

const T0 = 1_700_000_000_000;
let runs = 0;

function newRun(given: Partial<NewRun> = {}): NewRun {
  return {
    sessionId: `sess_${(runs += 1)}`,
    projectId: 'p',
    keyId: 'k',
    labels: {},
    request: null,
    nowMs: T0,
    owner: 'owner-1',
    leaseMs: 1000,
    ...given,
  };
}

function opened(options: RedisRunStoreOptions): RunStore {
  const store = redisRunStore(options);
  onTestFinished(() => store.close());
  return store;
}

async function collect(records: AsyncIterable<JournalRecord[]>): Promise<unknown[]> {
  const data: unknown[] = [];
  for await (const batch of records) data.push(...batch.map((record) => record.data));
  return data;
}

const entryOf = (data: string) => ({ entries: [{ kind: 'event', data }], nowMs: T0 });
const place = { projectId: 'p', collection: 'c', id: 'd' };

describe.skipIf(!hasRedis)('redisRunStore when a reply or a connection is lost', () => {
  let server: RedisServer;
  let proxy: CuttingProxy;
  let store: RunStore;
  let prefix: string;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  beforeEach(async () => {
    proxy = await CuttingProxy.start(server.port);
    prefix = `lost-${(runs += 1)}:`;
    store = redisRunStore({ client: server.client({ port: proxy.port }), prefix });
  });
  afterEach(async () => {
    await store.close();
    await proxy.stop();
  });
  afterAll(() => server?.stop());

  /** Runs a step whose first reply is lost. */
  async function losing<Result>(marker: string, step: () => Promise<Result>): Promise<Result> {
    const cut = proxy.cutAnswerTo((request) => request.includes(marker));
    const result = step();
    await cut;
    return result;
  }

  it('creates a run once', async () => {
    const run = newRun({ keyId: 'marker' });
    // The server knows the script already, so the step is one request.
    await store.createRun(newRun());
    expect(await losing('marker', () => store.createRun(run))).toMatchObject({ epoch: 1, lastSeq: 0 });
    await expect(store.createRun(run)).rejects.toMatchObject({ code: 'RUN_EXISTS' });
    expect(await store.listRuns({ projectId: 'p', limit: 3 })).toHaveLength(2);
  });

  it('appends each record once when several appends are in flight', async () => {
    const { sessionId } = await store.createRun(newRun());
    await store.append(sessionId, entryOf('first'));
    const outcomes = await losing('marker', () =>
      Promise.all(['a', 'marker', 'c'].map((data) => store.append(sessionId, entryOf(data)))),
    );
    expect(outcomes).toEqual([2, 3, 4].map((lastSeq) => ({ outcome: 'appended', lastSeq })));
    const records = await store.readJournal(sessionId, { afterSeq: 0, limit: 10 });
    expect(records.map(({ data }) => data)).toEqual(['first', 'a', 'marker', 'c']);
  });

  it('returns the number of its own record even if another writer has appended since', async () => {
    const { sessionId } = await store.createRun(newRun());
    await store.append(sessionId, entryOf('first'));
    const other = opened({ client: server.client(), prefix });
    const cut = proxy.cutAnswerTo((request) => request.includes('marker'));
    const appended = store.append(sessionId, entryOf('marker'));
    await cut;
    await other.append(sessionId, entryOf('other'));
    const records = await store.readJournal(sessionId, { afterSeq: 0, limit: 10 });
    const lastSeq = records.find(({ data }) => data === 'marker')?.seq;
    expect(await appended).toEqual({ outcome: 'appended', lastSeq });
    expect(records).toHaveLength(3);
  });

  it('appends a keyed record without reporting it as a duplicate', async () => {
    const { sessionId } = await store.createRun(newRun());
    await store.append(sessionId, entryOf('first'));
    const append = { entries: [{ kind: 'result', data: 1, key: 'marker' }], nowMs: T0 };
    expect((await losing('marker', () => store.append(sessionId, append))).outcome).toBe('appended');
    expect((await store.append(sessionId, append)).outcome).toBe('duplicate');
  });

  it('applies each claim of a run once', async () => {
    const { sessionId } = await store.createRun(newRun());
    const claim = (owner: string, nowMs: number) => store.claimRun(sessionId, { owner, nowMs, leaseMs: 10 });
    await claim('owner-1', T0);
    const claimed = await losing('marker', () =>
      Promise.all([claim('marker', T0 + 5000), claim('marker', T0 + 5001)]),
    );
    expect(claimed).toMatchObject([
      { epoch: 3, owner: 'marker' },
      { epoch: 4, owner: 'marker' },
    ]);
    expect(await store.readRun(sessionId)).toMatchObject({ epoch: 4 });
  });

  it('does not return a run that another owner has claimed since', async () => {
    const client = server.client();
    const late = opened({ client, prefix });
    const { sessionId } = await store.createRun(newRun());
    const claim = (owner: string, nowMs: number) => ({ owner, nowMs, leaseMs: 10 });
    await store.claimRun(sessionId, claim('owner-1', T0));
    const send = client.evalsha.bind(client);
    // The driver sends a command again after it was carried out, because its reply was lost.
    vi.spyOn(client, 'evalsha').mockImplementationOnce(async (...command) => {
      await send(...command);
      const taken = await store.claimRun(sessionId, claim('owner-3', T0 + 6000));
      await store.releaseRun(sessionId, taken?.epoch ?? 0);
      return send(...command);
    });
    expect(await late.claimRun(sessionId, claim('owner-2', T0 + 5000))).toBeUndefined();
    expect(await store.readRun(sessionId)).toMatchObject({ owner: 'owner-3', epoch: 4 });
  });

  it('writes a document once, without a version conflict with itself', async () => {
    await store.putDocument({ ...place, id: 'other', value: 1, nowMs: T0 });
    await store.putDocument({ ...place, value: 1, nowMs: T0 });
    const write = () => store.putDocument({ ...place, value: 'marker', nowMs: T0 + 1, ifVersion: 1 });
    const over = () => store.putDocument({ ...place, value: 'over', nowMs: T0 + 2, ifVersion: 2 });
    const written = await losing('marker', () => Promise.all([write(), over()]));
    expect(written).toMatchObject([2, 3].map((version) => ({ version, createdAtMs: T0 })));
    expect(await write()).toBeUndefined();
  });

  it('increments a counter once', async () => {
    const time = { nowMs: T0, expiresAtMs: T0 + 10 };
    await store.increment('marker', 1, time);
    const values = await losing('marker', () =>
      Promise.all([store.increment('marker', 1, time), store.increment('marker', 1, time)]),
    );
    expect(values).toEqual([2, 3]);
  });

  it('delivers every record to a follower whose connection is cut', async () => {
    const { sessionId } = await store.createRun(newRun());
    const followed = collect(store.follow(sessionId, { afterSeq: 0 }));
    const expected = Array.from({ length: 40 }, (_, n) => `record ${n}`);
    for (const [n, data] of expected.entries()) {
      await store.append(sessionId, entryOf(data));
      if (n % 10 === 5) proxy.cut();
    }
    await store.append(sessionId, { entries: [], nowMs: T0, ends: true, status: 'completed' });
    expect(await followed).toEqual(expected);
  });
});

describe.skipIf(!hasRedis)('redisRunStore', () => {
  let server: RedisServer;
  beforeEach(async () => {
    const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
    server = await RedisServer.start(settings);
  });
  afterEach(() => server?.stop());

  it('keeps all acknowledged records when Redis is killed and restarted', async () => {
    const store = opened({ client: server.client({ maxRetriesPerRequest: null }) });
    const { sessionId } = await store.createRun(newRun());
    for (let n = 0; n < 20; n += 1) await store.append(sessionId, entryOf(`record ${n}`));
    const unanswered = [20, 21, 22].map((n) => store.append(sessionId, entryOf(`record ${n}`)));
    await server.kill();
    await server.run();
    await Promise.all(unanswered);
    const records = await store.readJournal(sessionId, { afterSeq: 0, limit: 100 });
    expect(records.map(({ data }) => data)).toEqual(Array.from({ length: 23 }, (_, n) => `record ${n}`));
    expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: 23 }, (_, n) => n + 1));
  });

  it('ends a follower when Redis restarts without records that it has read', async () => {
    const older = await RedisServer.start();
    onTestFinished(() => older.stop());
    const client = older.client({ maxRetriesPerRequest: null });
    const store = opened({ client });
    const { sessionId } = await store.createRun(newRun());
    await store.append(sessionId, entryOf('kept'));
    await client.save();
    const reader = store.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    await reader.next();
    await store.append(sessionId, entryOf('lost'));
    await reader.next();
    const next = reader.next();
    await older.kill();
    await older.run();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await store.append(sessionId, entryOf('after'))).toEqual({ outcome: 'appended', lastSeq: 2 });
    expect(await collect(store.follow(sessionId, { afterSeq: 9 }))).toEqual([]);
  });

  it('ends a follower when Redis is flushed', async () => {
    const own = await RedisServer.start();
    onTestFinished(() => own.stop());
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = opened({ client: own.client() });
    const { sessionId } = await store.createRun(newRun());
    await store.append(sessionId, entryOf('lost'));
    const reader = store.follow(sessionId, { afterSeq: 0 })[Symbol.asyncIterator]();
    await reader.next();
    const next = reader.next();
    await own.client().flushall();
    vi.advanceTimersByTime(15_000);
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('rejects a write with REDIS_OUT_OF_MEMORY when memory is full', async () => {
    const client = server.client();
    const store = opened({ client });
    await client.config('SET', 'maxmemory', '1');
    await expect(store.createRun(newRun())).rejects.toMatchObject({ code: 'REDIS_OUT_OF_MEMORY' });
  });

  it('leaves no keys behind after a sweep, except for a counter', async () => {
    const client = server.client();
    const store = opened({ client });
    for (let n = 0; n < 250; n += 1) {
      const { sessionId } = await store.createRun(newRun({ threadId: 't' }));
      const entries = [
        { kind: 'e', data: 1, key: 'k' },
        { kind: 'e', data: 1, slot: 's' },
      ];
      await store.append(sessionId, { entries, nowMs: T0, ends: true });
      await store.putDocument({ ...place, id: `${n}`, value: n, nowMs: T0, expiresAtMs: T0 + 1 });
      await store.increment(`counter ${n}`, 1, { nowMs: T0, expiresAtMs: T0 + 1 });
    }
    await store.putDocument({ ...place, value: 1, nowMs: T0, expiresAtMs: T0 + 100 });
    expect(await store.deleteDocument(place)).toBe(true);
    expect(await store.sweep({ endedBeforeMs: T0 + 1, nowMs: T0 + 1 })).toBe(250);
    // It counts the documents ever created.
    expect(await client.keys('*')).toEqual(['svc:{runs}:creations']);
  });

  it('works with a client that has a keyPrefix, apart from other stores', async () => {
    const store = opened({ client: server.client({ keyPrefix: 'app:' }) });
    const other = opened({ client: server.client(), prefix: 'other:' });
    const { sessionId } = await store.createRun(newRun({ threadId: 't' }));
    const followed = collect(store.follow(sessionId, { afterSeq: 0 }));
    await store.append(sessionId, entryOf('one'));
    await store.renewLeases({ owner: 'owner-1', nowMs: T0 + 500, leaseMs: 1000 });
    expect(await store.readRun(sessionId)).toMatchObject({ leaseUntilMs: T0 + 1500 });
    await store.append(sessionId, { ...entryOf('two'), ends: true });
    expect(await followed).toEqual(['one', 'two']);
    expect(await store.listRuns({ threadId: 't', limit: 5 })).toHaveLength(1);
    await store.putDocument({ ...place, value: 1, nowMs: T0 });
    expect(await store.listDocuments({ ...place, nowMs: T0, limit: 5 })).toHaveLength(1);
    expect(await other.listRuns({ limit: 5 })).toEqual([]);
    expect(await server.client().keys('*')).toSatisfy((keys: string[]) =>
      keys.every((key) => key.startsWith('app:')),
    );
  });

  /** Two runs in a store, the newer of which has fields that somebody changed; `undefined` removes one. */
  async function withMalformed(fields: Record<string, string | undefined>) {
    const prefix = `malformed-${(runs += 1)}:`;
    const client = server.client();
    const store = opened({ client, prefix });
    const base = `${prefix}{runs}:`;
    const [bad, good] = [newRun({ labels: { a: 1 } }), newRun({ labels: { a: 1 }, nowMs: T0 - 1 })];
    for (const run of [bad, good]) await store.createRun(run);
    const key = `${base}run:${bad.sessionId}`;
    for (const [field, value] of Object.entries(fields)) {
      await (value === undefined ? client.hdel(key, field) : client.hset(key, field, value));
    }
    return { store, client, base, bad, good };
  }

  const malformed = (fields: string[], values: (string | undefined)[]) =>
    fields.flatMap((field) => values.map((value) => ({ field, value })));

  it.each([
    ...malformed(['status', 'created', 'updated', 'labels'], [undefined, '', 'secret-4711']),
    ...malformed(['created', 'updated'], ['1e300', '-1e300', 'Infinity']),
  ])('lists a run whose $field is $value as failed, and the runs after it', async ({ field, value }) => {
    const { store, bad, good } = await withMalformed({ [field]: value });
    const query = { claimableBy: { owner: bad.owner, nowMs: T0 }, limit: 1 };
    const [first] = await store.listRuns(query);
    const { sessionId, projectId, keyId } = bad;
    const times = { createdAtMs: T0, updatedAtMs: T0 };
    expect(first).toEqual({ sessionId, projectId, keyId, status: 'failed', labels: {}, ...times });
    const rest = await store.listRuns({ ...query, before: { createdAtMs: T0, sessionId } });
    expect(rest).toMatchObject([{ sessionId: good.sessionId, labels: { a: 1 }, status: 'pending' }]);
  });

  it.each([
    ...malformed(['status', 'created', 'updated', 'labels', 'request'], [undefined, '', 'secret-4711']),
    ...malformed(['owner'], [undefined]),
    ...malformed(['lease', 'last'], [undefined, '', 'secret-4711']),
    ...malformed(['epoch', 'last'], ['', 'secret-4711', '-1', '1.5', '1e300']),
  ])('refuses to read or claim a run whose $field is $value', async ({ field, value }) => {
    const { store, bad } = await withMalformed({ [field]: value });
    const claim = { owner: bad.owner, nowMs: T0, leaseMs: 1 };
    await expectUnreadable(bad, store.readRun(bad.sessionId), store.claimRun(bad.sessionId, claim));
  });

  it.each(malformed(['lease', 'owner'], [undefined, '', 'secret-4711']))(
    'lists the runs that can be claimed, although the $field of one is $value',
    async ({ field, value }) => {
      const { store, good } = await withMalformed({ [field]: value });
      const list = await store.listRuns({ claimableBy: { owner: good.owner, nowMs: T0 }, limit: 5 });
      expect(list.map((run) => run.sessionId)).toContain(good.sessionId);
    },
  );

  it.each(malformed(['ended'], ['', 'secret-4711', '1e300']))(
    'lists a run that ended at $value as failed, and refuses to read it',
    async ({ field, value }) => {
      const { store, bad } = await withMalformed({ [field]: value });
      const list = await store.listRuns({ ended: true, limit: 5 });
      expect(list).toMatchObject([{ sessionId: bad.sessionId, status: 'failed', labels: {} }]);
      await expectUnreadable(bad, store.readRun(bad.sessionId));
    },
  );

  it.each(malformed(['last'], [undefined, '', '-1', '1.5', 'secret-4711']))(
    'writes nothing to a run whose last number is $value, and refuses to read its journal',
    async ({ field, value }) => {
      const { store, bad } = await withMalformed({ [field]: value });
      await expectUnreadable(
        bad,
        store.append(bad.sessionId, entryOf('a')),
        store.readJournal(bad.sessionId, { afterSeq: 0, limit: 1 }),
        collect(store.follow(bad.sessionId, { afterSeq: 0 })),
      );
    },
  );

  it('refuses to read a journal whose records were removed, rather than wait for them', async () => {
    const client = server.client();
    const prefix = `removed-${(runs += 1)}:`;
    const store = opened({ client, prefix });
    const [open, ended] = [newRun(), newRun()];
    for (const run of [open, ended]) {
      await store.createRun(run);
      await store.append(run.sessionId, { ...entryOf('a'), ends: run === ended });
      const read = store.readJournal(run.sessionId, { afterSeq: 1, limit: 1 });
      expect(await read).toEqual([]);
      await client.del(`${prefix}{runs}:journal:${run.sessionId}`);
      await expectUnreadable(
        run,
        store.readJournal(run.sessionId, { afterSeq: 0, limit: 1 }),
        collect(store.follow(run.sessionId, { afterSeq: 0 })),
      );
      expect(await store.readJournal(run.sessionId, { afterSeq: 1, limit: 1 })).toEqual([]);
    }
    await store.append(open.sessionId, { ...entryOf('b'), ends: true });
    expect(await collect(store.follow(open.sessionId, { afterSeq: 0 }))).toEqual(['b']);
  });

  it.each(['project', 'owner'])('writes nothing to a run without %s, which could not end', async (field) => {
    const { store, bad } = await withMalformed({ [field]: undefined });
    await expectUnreadable(bad, store.append(bad.sessionId, { ...entryOf('a'), ends: true }));
    expect(await store.readJournal(bad.sessionId, { afterSeq: 0, limit: 1 })).toEqual([]);
  });

  it('reports a run whose key was replaced by another type, and still serves the others', async () => {
    const { store, client, base, bad, good } = await withMalformed({});
    const claim = { owner: good.owner, nowMs: T0, leaseMs: 5000 };
    await client.set(`${base}run:${bad.sessionId}`, 'secret-4711');
    const claimable = await store.listRuns({ claimableBy: claim, limit: 5 });
    expect(claimable.map((run) => run.sessionId)).toEqual([bad.sessionId, good.sessionId]);
    await store.renewLeases(claim);
    expect(await store.readRun(good.sessionId)).toMatchObject({ leaseUntilMs: T0 + 5000 });
    await expectUnreadable(
      bad,
      store.readRun(bad.sessionId),
      store.claimRun(bad.sessionId, claim),
      store.append(bad.sessionId, entryOf('a')),
      store.readJournal(bad.sessionId, { afterSeq: 0, limit: 1 }),
      collect(store.follow(bad.sessionId, { afterSeq: 0 })),
    );
    await store.append(good.sessionId, { ...entryOf('a'), ends: true });
    await client.zadd(`${base}ended`, T0, bad.sessionId);
    expect(await store.sweep({ endedBeforeMs: T0 + 1, nowMs: T0 })).toBe(2);
    expect(await client.keys(`${base}run:*`)).toEqual([]);
  });

  it.each(['journal', 'keys', 'slots'])(
    'refuses to write to a run whose %s was replaced by another type',
    async (part) => {
      const { store, client, base, bad } = await withMalformed({});
      await client.set(`${base}${part}:${bad.sessionId}`, 'secret-4711');
      const entries = [{ kind: 'event', data: 'a', key: 'k', slot: 's' }];
      await expectUnreadable(bad, store.append(bad.sessionId, { entries, nowMs: T0 }));
    },
  );

  it('refuses to write to a run whose journal is longer than its last number says', async () => {
    const { store, client, base, bad } = await withMalformed({});
    await client.xadd(`${base}journal:${bad.sessionId}`, '9-0', 'd', '1');
    await expectUnreadable(bad, store.append(bad.sessionId, entryOf('a')));
  });

  it('does not bring back a run that was removed by hand when it renews leases', async () => {
    const { store, client, base, bad, good } = await withMalformed({});
    await client.del(`${base}run:${bad.sessionId}`);
    await store.renewLeases({ owner: bad.owner, nowMs: T0, leaseMs: 5000 });
    expect(await client.keys(`${base}run:*`)).toEqual([`${base}run:${good.sessionId}`]);
    expect(await client.smembers(`${base}owner:${bad.owner}`)).toEqual([good.sessionId]);
  });

  it('does not count runs that were removed by hand or evicted as open', async () => {
    const { store, client, base, bad, good } = await withMalformed({});
    const next = () => store.createRun(newRun({ maxOpenRuns: 2 }));
    await expect(next()).rejects.toMatchObject({ code: 'TOO_MANY_RUNS' });
    await client.del(`${base}run:${bad.sessionId}`);
    const { sessionId } = await next();
    await expect(next()).rejects.toMatchObject({ code: 'TOO_MANY_RUNS' });
    expect(await client.zrange(`${base}open:p`, '0', '-1')).toEqual([good.sessionId, sessionId]);
  });

  async function expectUnreadable({ sessionId }: NewRun, ...asked: Promise<unknown>[]): Promise<void> {
    const reason = { code: 'RUN_UNREADABLE', details: { session_id: sessionId } };
    for (const outcome of await Promise.allSettled(asked)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason });
      expect(inspect(outcome, { depth: 20, showHidden: true })).not.toContain('4711');
    }
  }

  it('rejects operations with STORE_CLOSED once it is closed, and ends new followers at once', async () => {
    const store = opened({ client: server.client() });
    await store.close();
    const time = { nowMs: T0, expiresAtMs: T0 + 1 };
    for (const ask of [
      () => store.createRun(newRun()),
      () => store.putDocument({ ...place, value: 1, nowMs: T0 }),
      () => store.readDocument(place, T0),
      () => store.listDocuments({ ...place, nowMs: T0, limit: 1 }),
      () => store.deleteDocument(place),
      () => store.increment('n', 1, time),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(await collect(store.follow('sess', { afterSeq: 0 }))).toEqual([]);
  });
});
