import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bundleProgram } from '../../../../../tooling/bundle-program.ts';
import { MemoryDatabase } from '../../../src/memory/sqlite/memory-database.js';
import { sqliteRunStore } from '../../../src/store/sqlite/sqlite-run-store.js';
import { runStoreSuite } from '../../../src/testing/run-store-suite.js';
import { newFolder } from '../../support/new-folder.js';

const newPath = async () => join(await newFolder(), 'runs.db');

runStoreSuite({
  name: 'sqlite',
  async open() {
    const path = await newPath();
    return {
      store: sqliteRunStore({ path, synchronous: 'normal' }),
      reopen: async () => sqliteRunStore({ path, synchronous: 'normal' }),
    };
  },
});

it('is closed at the end of a block with `await using`', async () => {
  const store = sqliteRunStore({ path: await newPath() });
  {
    await using used = store;
    await used.readRun('s');
  }
  await expect(store.readRun('s')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
});

it('rejects reads with a code when the database fails, without its statement', async () => {
  const path = await newPath();
  await using store = sqliteRunStore({ path });
  const other = new DatabaseSync(path);
  other.exec('ALTER TABLE runs RENAME TO lost; ALTER TABLE journal RENAME TO lost_journal');
  other.exec('ALTER TABLE documents RENAME TO lost_documents');
  other.close();
  const place = { projectId: 'p', collection: 'c' };
  const reads: readonly (() => Promise<unknown>)[] = [
    async () => store.readRun('s'),
    async () => store.listRuns({ limit: 1 }),
    async () => store.readJournal('s', { afterSeq: 0, limit: 1 }),
    async () => store.follow('s', { afterSeq: 0 })[Symbol.asyncIterator]().next(),
    async () => store.readDocument({ ...place, id: 'd' }, 1),
    async () => store.listDocuments({ ...place, limit: 1, nowMs: 1 }),
  ];
  for (const read of reads) {
    await expect(read()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: 'The store cannot be read: SQL logic error. Check the disk and the file.',
    });
  }
});

const newRun = { projectId: 'p', keyId: 'k', labels: {}, request: {}, owner: 'o', nowMs: 1, leaseMs: 0 };

const openers = [
  ['runs', (path: string) => sqliteRunStore({ path })],
  ['memory', (path: string) => new MemoryDatabase(path)],
] as const;

it.each(openers)(
  'refuses a file of a newer release, says how to fix it and closes the file: %s',
  async (_of, open) => {
    const path = await newPath();
    await open(path).close();
    const database = new DatabaseSync(path);
    database.exec(
      'PRAGMA user_version = 99; CREATE TABLE IF NOT EXISTS memory_version (version INTEGER NOT NULL) STRICT',
    );
    database.exec('DELETE FROM memory_version; INSERT INTO memory_version VALUES (99)');
    database.close();
    const close = vi.spyOn(DatabaseSync.prototype, 'close');
    expect(() => open(path)).toThrow(/version 99.*Update @svc\/orchestrator/);
    expect(close).toHaveBeenCalledOnce();
    close.mockRestore();
  },
);

it.each(openers)(
  'uses no numbered parameters, which Node 22 cannot bind by position: %s',
  async (_of, open) => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    await open(await newPath()).close();
    const statements = prepare.mock.calls.map(([sql]) => sql);
    prepare.mockRestore();
    expect(statements.length).toBeGreaterThan(10);
    expect(statements.filter((sql) => /\?\d/.test(sql))).toEqual([]);
  },
);

function writeForeign(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE runs (distance); CREATE TABLE memory_version (brand)');
  database.close();
}

describe.each(openers)('the path of the %s database', (_of, open) => {
  it.each([
    ['the file cannot be opened', (path: string) => rm(join(path, '..'), { recursive: true })],
    ['the file is not a database', (path: string) => writeFile(path, 'a text, and no database'.repeat(100))],
    ['the file is the database of another program', (path: string) => writeForeign(path)],
  ])('is named in the error when %s', async (_kind, prepare) => {
    const path = join(await newFolder(), 'place', 'runs.db');
    await mkdir(join(path, '..'));
    await prepare(path);
    expect(() => open(path)).toThrow(
      expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(path) }),
    );
    expect(() => open(path)).toThrow(/Check the path, its permissions and the disk\.$/);
  });
});

it.each(openers)('says which Node version is needed when there is no SQLite: %s', (_of, open) => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValueOnce(undefined);
  const message = `node:sqlite is missing in Node ${process.version}. Use Node 22.19 or newer`;
  expect(() => open(':memory:')).toThrow(
    expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(message) }),
  );
});

it('refuses an unknown value of `synchronous`', async () => {
  const path = await newPath();
  // @ts-expect-error: the type allows two values
  expect(() => sqliteRunStore({ path, synchronous: 'off' })).toThrow(
    /^sqliteRunStore: synchronous is invalid: .*full.*normal/,
  );
});

it('refuses an unknown option', () => {
  expect(() => sqliteRunStore(Object.assign({ path: ':memory:' }, { sync: 'full' }))).toThrow(
    new RangeError("sqliteRunStore: unknown option 'sync'. Known options: path, synchronous."),
  );
});

it.each([
  [undefined, 'options is invalid: must be an object with a path'],
  ['runs.db', 'options is invalid: must be an object with a path'],
  [{}, "path is invalid: must be a string: the file of the runs, or ':memory:'"],
  [{ path: null }, "path is invalid: must be a string: the file of the runs, or ':memory:'"],
])('refuses options without a path: %s', (options, message) => {
  expect(() => sqliteRunStore(options as never)).toThrow(new RangeError(`sqliteRunStore: ${message}`));
});

it('refuses a write with STORE_CLOSED after it is closed', async () => {
  const store = sqliteRunStore({ path: await newPath() });
  await store.close();
  const write = { projectId: '', collection: 'c', id: 'd', value: 1, nowMs: 0 };
  await expect(store.putDocument(write)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
});

it.each(['request', 'labels', 'status'])(
  'lists a run whose %s column is malformed, but refuses to read or claim it',
  async (column) => {
    const path = await newPath();
    const store = sqliteRunStore({ path });
    onTestFinished(() => store.close());
    const run = { ...newRun, labels: { a: 1 } };
    for (const sessionId of ['bad', 'good']) await store.createRun({ ...run, sessionId });
    const database = new DatabaseSync(path);
    const table = column === 'request' ? 'requests' : 'runs';
    database.exec(`UPDATE ${table} SET ${column} = 'secret-4711' WHERE session_id = 'bad'`);
    database.close();
    const list = await store.listRuns({ claimableBy: { owner: 'o', nowMs: 1 }, limit: 5 });
    expect(list).toMatchObject([
      { sessionId: 'good', labels: { a: 1 }, status: 'pending' },
      column === 'request' ? { sessionId: 'bad' } : { sessionId: 'bad', labels: {}, status: 'failed' },
    ]);
    const claim = { owner: 'o', nowMs: 1, leaseMs: 1 };
    for (const asked of [() => store.readRun('bad'), () => store.claimRun('bad', claim)]) {
      const error: unknown = await asked().catch((failure: unknown) => failure);
      expect(error).toMatchObject({ code: 'RUN_UNREADABLE', details: { session_id: 'bad' } });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('4711');
    }
  },
);

it('refuses a journal with a malformed record, without repeating its content', async () => {
  const path = await newPath();
  const store = sqliteRunStore({ path });
  onTestFinished(() => store.close());
  await store.createRun({ ...newRun, sessionId: 'bad' });
  await store.append('bad', { entries: [{ kind: 'event', data: 1 }], nowMs: 2, ends: true });
  const database = new DatabaseSync(path);
  database.exec("UPDATE journal SET data = 'secret-4711'");
  database.close();
  const read = store.readJournal('bad', { afterSeq: 0, limit: 5 });
  const followed = store.follow('bad', { afterSeq: 0 })[Symbol.asyncIterator]().next();
  for (const outcome of await Promise.allSettled([read, followed])) {
    const reason = { code: 'RUN_UNREADABLE', details: { session_id: 'bad' } };
    expect(outcome).toMatchObject({ status: 'rejected', reason });
    expect(inspect(outcome, { depth: 20, showHidden: true })).not.toContain('4711');
  }
});

it('refuses to read a malformed document, and replaces it when it is written', async () => {
  const path = await newPath();
  const store = sqliteRunStore({ path });
  onTestFinished(() => store.close());
  const place = { projectId: 'p', collection: 'c', id: 'd' };
  await store.putDocument({ ...place, value: 1, nowMs: 1 });
  const database = new DatabaseSync(path);
  database.exec("UPDATE documents SET value = 'secret-4711'");
  database.close();
  const list = () => store.listDocuments({ ...place, nowMs: 2, limit: 5 });
  const reason = { code: 'DOCUMENT_UNREADABLE', details: { collection: 'c', id: 'd' } };
  for (const outcome of await Promise.allSettled([store.readDocument(place, 2), list()])) {
    expect(outcome).toMatchObject({ status: 'rejected', reason });
    expect(inspect(outcome, { depth: 20, showHidden: true })).not.toContain('4711');
  }
  expect(await store.putDocument({ ...place, value: 2, nowMs: 2, ifVersion: 0 })).toBeUndefined();
  await store.putDocument({ ...place, value: 3, nowMs: 2 });
  expect(await list()).toMatchObject([{ ...place, value: 3, version: 2 }]);
});

it.skipIf(process.platform === 'win32').each(openers)(
  'creates files that only their owner can read, and keeps the mode of existing files: %s',
  async (_of, open) => {
    const [path, shared] = [await newPath(), await newPath()];
    await writeFile(shared, '');
    await chmod(shared, 0o660);
    const stores = [open(path), open(shared)];
    const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
    const files = [path, `${path}-wal`, shared, `${shared}-wal`];
    expect(await Promise.all(files.map(modeOf))).toEqual(['600', '600', '660', '660']);
    for (const store of stores) await store.close();
  },
);

it.skipIf(process.platform === 'win32').each(['600', '660'])(
  'gives the lock file the same mode as the database file: %s',
  async (mode) => {
    const path = await newPath();
    await writeFile(path, '');
    await chmod(path, mode);
    await using store = sqliteRunStore({ path });
    await store.createRun({ ...newRun, sessionId: 's' });
    expect(((await stat(`${path}-owner`)).mode & 0o777).toString(8)).toBe(mode);
  },
);

it('retries while SQLite is busy because several processes create the file at once', async () => {
  const path = await newPath();
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const busy = () => {
    throw Object.assign(new Error('database is locked'), { errcode: 5 });
  };
  for (let times = 0; times < 20; times += 1) exec.mockImplementationOnce(busy);
  await sqliteRunStore({ path }).close();
  exec.mockRestore();
});

it('sweeps many runs in steps, and yields between them', async () => {
  const store = sqliteRunStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const ids = Array.from({ length: 130 }, (_, number) => `s${number}`);
  await Promise.all(ids.map((sessionId) => store.createRun({ ...newRun, sessionId })));
  await Promise.all(ids.map((id) => store.append(id, { entries: [], nowMs: 2, ends: true })));
  const left: number[] = [];
  const swept = store.sweep({ endedBeforeMs: 3, nowMs: 3 });
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([swept.then(() => true), setImmediate(false)]);
    left.push((await store.listRuns({ projectId: 'p', limit: 200 })).length);
  }
  expect([...new Set(left)].filter((count) => count > 0 && count < 130)).toEqual([80, 30]);
  expect(await swept).toBe(130);
});

it('sweeps fewer runs per step when their journals are long', async () => {
  const store = sqliteRunStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const entries = Array.from({ length: 900 }, () => ({ kind: 'event', data: {} }));
  const ids = ['s1', 's2', 's3', 's4', 's5', 's6'];
  for (const sessionId of ids) {
    await store.createRun({ ...newRun, sessionId });
    await store.append(sessionId, { entries, nowMs: 2, ends: true });
  }
  const left: number[] = [];
  const swept = store.sweep({ endedBeforeMs: 3, nowMs: 3 });
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([swept.then(() => true), setImmediate(false)]);
    left.push((await store.listRuns({ projectId: 'p', limit: 200 })).length);
  }
  expect([...new Set(left)].filter((count) => count > 0 && count < 6)).toEqual([4, 2]);
  expect(await swept).toBe(6);
});

it('removes many expired documents in steps, and yields between them', async () => {
  const store = sqliteRunStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const place = { projectId: 'p', collection: 'c' };
  const document = { ...place, value: 1, nowMs: 1, expiresAtMs: 2 };
  const ids = Array.from({ length: 2500 }, (_, number) => `d${number}`);
  await Promise.all(ids.map((id) => store.putDocument({ ...document, id })));
  const left: number[] = [];
  const swept = store.sweep({ endedBeforeMs: 3, nowMs: 3 });
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([swept.then(() => true), setImmediate(false)]);
    left.push((await store.listDocuments({ ...place, nowMs: 1, limit: 3000 })).length);
  }
  expect([...new Set(left)].filter((count) => count > 0 && count < 2500)).toEqual([1500, 500]);
  expect(left.at(-1)).toBe(0);
});

it('lets one process at a time work on its runs, and the next as soon as the first has closed', async () => {
  const path = await newPath();
  const [first, second] = [sqliteRunStore({ path }), sqliteRunStore({ path })];
  const claim = { owner: 'local', nowMs: 0, leaseMs: 1 };
  await first.renewLeases(claim);
  await first.renewLeases(claim);
  await expect(second.renewLeases(claim)).rejects.toMatchObject({ code: 'STORE_IN_USE', details: { path } });
  await expect(second.claimRun('x', claim)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  await first.close();
  await second.renewLeases(claim);
  await second.close();
});

it.skipIf(process.platform === 'win32')(
  'finds the other process if its path is a link to the file',
  async () => {
    const path = await newPath();
    await using store = sqliteRunStore({ path });
    const link = join(await newFolder(), 'link.db');
    await symlink(path, link);
    await using linked = sqliteRunStore({ path: link });
    const claim = { owner: 'local', nowMs: 0, leaseMs: 1 };
    await store.renewLeases(claim);
    await expect(linked.renewLeases(claim)).rejects.toMatchObject({
      code: 'STORE_IN_USE',
      details: { path: link },
    });
  },
);

it("works under Node's permission model, which has no fchmod", async () => {
  const path = await newPath();
  const program = await bundleProgram(new URL('../../support/programs/store-user.ts', import.meta.url));
  onTestFinished(program.remove);
  const rights = ['--no-warnings', '--permission', '--allow-fs-read=*', `--allow-fs-write=${dirname(path)}`];
  const ended = spawnSync(process.execPath, [...rights, program.file, path], {
    encoding: 'utf8',
  });
  expect(ended).toMatchObject({ stderr: '', stdout: 'done\n' });
});

it('tells a lock file that it cannot use from one that another process holds', async () => {
  const path = await newPath();
  await using store = sqliteRunStore({ path });
  const claim = { owner: 'local', nowMs: 0, leaseMs: 1 };
  const expected = { code: 'STORE_UNAVAILABLE', details: { path: `${path}-owner` } };
  await writeFile(`${path}-owner`, 'no database '.repeat(100));
  await expect(store.renewLeases(claim)).rejects.toMatchObject(expected);
  await rm(`${path}-owner`);
  await mkdir(`${path}-owner`);
  await expect(store.renewLeases(claim)).rejects.toMatchObject(expected);
  await rm(`${path}-owner`, { recursive: true });
  await store.renewLeases(claim);
});

it('lets a second process write documents, as the command line does with keys', async () => {
  const path = await newPath();
  const [server, commandLine] = [sqliteRunStore({ path }), sqliteRunStore({ path })];
  await commandLine.putDocument({ projectId: '', collection: 'keys', id: 'k', value: 1, nowMs: 0 });
  expect(await server.readDocument({ projectId: '', collection: 'keys', id: 'k' }, 0)).toMatchObject({
    value: 1,
  });
  await Promise.all([server.close(), commandLine.close()]);
});

// SQLite rewrites the whole row when its length changes, and reads it whole each time.
it('does not rewrite the request when the run changes, however large it is', async () => {
  const written = await Promise.all(
    [10, 1_000_000].map(async (length) => {
      const path = await newPath();
      const store = sqliteRunStore({ path });
      onTestFinished(() => store.close());
      await store.createRun({ ...newRun, sessionId: 's', request: 'x'.repeat(length) });
      const other = new DatabaseSync(path);
      other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      other.close();
      await store.append('s', { entries: [{ kind: 'a', data: 1 }], nowMs: 2, status: 'running' });
      await store.claimRun('s', { owner: 'o', nowMs: 3, leaseMs: 1 });
      await store.renewLeases({ owner: 'o', nowMs: 1e12, leaseMs: 1 });
      await store.releaseRun('s', 2);
      await store.append('s', { entries: [], nowMs: 4, status: 'completed', ends: true });
      return (await stat(`${path}-wal`)).size;
    }),
  );
  expect(written[1]).toBe(written[0]);
});
