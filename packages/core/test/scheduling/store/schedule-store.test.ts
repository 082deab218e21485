import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { MemoryScheduleStore } from '../../../src/scheduling/store/memory-schedule-store.js';
import type { ScheduleStore } from '../../../src/scheduling/store/schedule-store.js';
import { sqliteScheduleStore } from '../../../src/scheduling/store/sqlite-schedule-store.js';
import { settle } from '../../../src/scheduling/store/ledger.js';
import { fireOf, ledgerOf } from './ledger-steps.js';
import { describeScheduleStore } from './store-suite.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-schedule-'));
const opened: ScheduleStore[] = [];
let files = 0;

afterAll(async () => {
  await Promise.all(opened.map(async (store) => store.close()));
  rmSync(folder, { recursive: true, force: true });
});

function openFile(path: string): ScheduleStore {
  const store = sqliteScheduleStore({ path });
  opened.push(store);
  return store;
}

const newFile = () => join(folder, `${(files += 1)}.db`);

describeScheduleStore('the memory store', () => {
  const store = new MemoryScheduleStore();
  return { open: () => store };
});

it('sqliteScheduleStore retries opening a file while SQLite reports that it is locked', async () => {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const busy = () => {
    throw Object.assign(new Error('database is locked'), { errcode: 5 });
  };
  for (let times = 0; times < 20; times += 1) exec.mockImplementationOnce(busy);
  await openFile(newFile()).close();
  exec.mockRestore();
});

describeScheduleStore('the sqlite store', () => {
  const path = newFile();
  return { open: () => openFile(path) };
});

describe('the sqlite store', () => {
  it('returns what was saved before the file was closed and reopened', async () => {
    const path = newFile();
    const first = openFile(path);
    await first.save('digest', { expectedVersion: 0, ledger: ledgerOf(['a running']), settled: [] });
    await first.close();
    expect(await openFile(path).load('digest')).toEqual({ version: 1, ledger: ledgerOf(['a running']) });
  });

  it('names the required Node version if node:sqlite is missing', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValueOnce(undefined);
    const message = `node:sqlite is missing in Node ${process.version}. Use Node 22.19 or newer`;
    expect(() => sqliteScheduleStore({ path: newFile() })).toThrow(
      expect.objectContaining({
        code: 'SCHEDULE_STORE_UNAVAILABLE',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('refuses a path that SQLite would take for a URL, and so open a different file', () => {
    expect(() => sqliteScheduleStore({ path: 'file:jobs.db' })).toThrow(
      expect.objectContaining({
        code: 'SCHEDULE_STORE_UNAVAILABLE',
        message: expect.stringContaining("pass the path without 'file:'"),
      }),
    );
    expect(existsSync('file:jobs.db')).toBe(false);
  });

  it.each(['that it cannot open', 'that is not a database'])('names in its error a file %s', (kind) => {
    const file = newFile();
    const path = kind === 'that is not a database' ? file : join(file, 'no-such-folder', 'jobs.db');
    if (path === file) writeFileSync(path, 'a text, and no database'.repeat(100));
    expect(() => sqliteScheduleStore({ path })).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_STORE_UNAVAILABLE', message: expect.stringContaining(path) }),
    );
    expect(() => sqliteScheduleStore({ path })).toThrow(/Check the path, its permissions and the disk\.$/);
  });

  it.skipIf(process.platform === 'win32')('creates files that only their owner can read', async () => {
    const path = newFile();
    openFile(path);
    const rights = [path, `${path}-wal`].map((file) => (statSync(file).mode & 0o777).toString(8));
    expect(rights).toEqual(['600', '600']);
  });

  it('rejects calls after it is closed', async () => {
    const store = openFile(newFile());
    await store.close();
    await expect(store.load('digest')).rejects.toMatchObject({ code: 'SCHEDULE_STORE_CLOSED' });
  });

  it('is closed at the end of an await using block', async () => {
    const store = sqliteScheduleStore({ path: newFile() });
    {
      await using used = store;
      await used.load('digest');
    }
    await expect(store.load('digest')).rejects.toMatchObject({ code: 'SCHEDULE_STORE_CLOSED' });
  });

  it('refuses an option that does not exist', () => {
    expect(() => sqliteScheduleStore(Object.assign({ path: ':memory:' }, { maxRecords: 5 }))).toThrow(
      expect.objectContaining({
        code: 'CONFIG_UNKNOWN_OPTION',
        message: expect.stringContaining("'maxRecords'"),
      }),
    );
  });

  it.each([{}, { path: undefined }, { path: null }, { path: '' }, { path: 5 }])(
    'refuses %o, which has no valid path',
    (options) => {
      expect(() => sqliteScheduleStore(options as never)).toThrow(
        expect.objectContaining({
          code: 'CONFIG_INVALID_OPTION',
          message: expect.stringMatching(/^sqliteScheduleStore: path must be/),
        }),
      );
    },
  );

  it('does not repeat unreadable data in the error', async () => {
    const path = newFile();
    const store = openFile(path);
    const raw = new DatabaseSync(path);
    raw.exec(`INSERT INTO svc_jobs VALUES ('digest', 1, '{"runs": canary')`);
    raw.close();
    const error: unknown = await store.load('digest').catch((reason: unknown) => reason);
    expect(inspect(error)).toContain('SCHEDULE_STORE_UNREADABLE');
    expect(inspect(error)).not.toContain('canary');
  });

  it('names the job whose data it cannot read', async () => {
    const path = newFile();
    const store = openFile(path);
    const raw = new DatabaseSync(path);
    raw.exec(`INSERT INTO svc_jobs VALUES ('digest', 1, '{"runs": "many"}')`);
    raw.close();
    await expect(store.load('digest')).rejects.toMatchObject({
      code: 'SCHEDULE_STORE_UNREADABLE',
      message: expect.stringContaining("'digest'"),
    });
  });

  it('reports why a save failed when the database itself rolled it back', async () => {
    const path = newFile();
    const store = openFile(path);
    const raw = new DatabaseSync(path);
    raw.exec(
      `CREATE TRIGGER full BEFORE INSERT ON svc_jobs BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END`,
    );
    const change = { expectedVersion: 0, ledger: ledgerOf([]), settled: [] };
    await expect(store.save('digest', change)).rejects.toMatchObject({
      code: 'SCHEDULE_STORE_UNAVAILABLE',
      message: expect.stringContaining('the disk is full'),
    });
    raw.exec('DROP TRIGGER full');
    raw.close();
    expect(await store.save('digest', change)).toBe(true);
  });

  it('keeps nothing of a save that failed on its way, and can save again', async () => {
    const path = newFile();
    const store = openFile(path);
    const raw = new DatabaseSync(path);
    raw.exec(`CREATE TRIGGER no BEFORE INSERT ON svc_fires BEGIN SELECT RAISE(ABORT, 'not now'); END`);
    const settled = [settle(fireOf('a'), { status: 'missed', finished_at_ms: 1 })];
    const change = { expectedVersion: 0, ledger: ledgerOf([]), settled };
    await expect(store.save('digest', change)).rejects.toMatchObject({ code: 'SCHEDULE_STORE_UNAVAILABLE' });
    raw.exec('DROP TRIGGER no');
    raw.close();
    expect(await store.load('digest')).toBeUndefined();
    expect(await store.save('digest', change)).toBe(true);
  });

  it('reports why it cannot read', async () => {
    const path = newFile();
    const store = openFile(path);
    const raw = new DatabaseSync(path);
    raw.exec('DROP TABLE svc_jobs; DROP TABLE svc_fires');
    raw.close();
    const unavailable = {
      code: 'SCHEDULE_STORE_UNAVAILABLE',
      message: expect.stringContaining('no such table'),
    };
    await expect(store.load('digest')).rejects.toMatchObject(unavailable);
    await expect(store.history('digest', 1)).rejects.toMatchObject(unavailable);
  });

  it('keeps up to maxRecordsPerJob fires of a job', async () => {
    expect(() => sqliteScheduleStore({ path: newFile(), maxRecordsPerJob: 0 })).toThrow(RangeError);
    const store = sqliteScheduleStore({ path: newFile(), maxRecordsPerJob: 2 });
    opened.push(store);
    const settled = ['a', 'b', 'c'].map((id) => settle(fireOf(id), { status: 'missed', finished_at_ms: 1 }));
    await store.save('digest', { expectedVersion: 0, ledger: ledgerOf([]), settled });
    expect((await store.history('digest', 10)).map(({ fire_id }) => fire_id)).toEqual(['b', 'c']);
  });
});
