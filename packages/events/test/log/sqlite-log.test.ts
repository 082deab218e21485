import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EventLog } from '../../src/log/event-log.js';
import { sqliteEventLog } from '../../src/log/sqlite-log.js';
import { describeEventLog } from '../../src/testing/describe-event-log.js';

const directories: string[] = [];

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'svc-log-'));
  directories.push(directory);
  return directory;
}

afterEach(() => {
  vi.useRealTimers();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

it('retries while SQLite reports that other processes are creating the same file', async () => {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const busy = () => {
    throw Object.assign(new Error('database is locked'), { errcode: 5 });
  };
  for (let times = 0; times < 20; times += 1) exec.mockImplementationOnce(busy);
  await sqliteEventLog({ path: join(newDirectory(), 'events.db') }).close();
  exec.mockRestore();
});

describeEventLog('sqliteEventLog', async () => {
  const path = join(newDirectory(), 'events.db');
  const connected: EventLog[] = [];
  const connect = async () => {
    const log = sqliteEventLog({ path, pollIntervalMs: 5 });
    connected.push(log);
    return log;
  };
  return {
    log: await connect(),
    connect,
    isDurable: true,
    async dispose() {
      for (const log of connected) await log.close();
    },
  };
});

describe('sqliteEventLog', () => {
  it('looks for events of other processes every 100 ms by default', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const path = join(newDirectory(), 'events.db');
    await using log = sqliteEventLog({ path });
    await using other = sqliteEventLog({ path });
    const { epoch } = await other.open('s');
    const pages = log.follow('s', { afterSeq: 0 })[Symbol.asyncIterator]();
    let isFound = false;
    void pages.next().then(() => (isFound = true));
    await other.append({ sessionId: 's', seq: 1, kind: 'event', frames: 'data: 1\n\n' }, { epoch });
    await vi.advanceTimersByTimeAsync(99);
    expect(isFound).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isFound).toBe(true);
    await pages.return?.();
  });

  it('names the required Node version when node:sqlite is missing', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValueOnce(undefined);
    const message = `could not open :memory:: node:sqlite is missing in Node ${process.version}. Use Node 22.19 or newer`;
    expect(() => sqliteEventLog({ path: ':memory:' })).toThrow(
      expect.objectContaining({ code: 'EVENT_LOG_UNAVAILABLE', message: expect.stringContaining(message) }),
    );
  });

  it('closes a file that is not a database', () => {
    const path = join(newDirectory(), 'notes.txt');
    writeFileSync(path, 'no database');
    const close = vi.spyOn(DatabaseSync.prototype, 'close');
    expect(() => sqliteEventLog({ path })).toThrow(
      expect.objectContaining({ code: 'EVENT_LOG_UNAVAILABLE' }),
    );
    expect(close).toHaveBeenCalledOnce();
  });

  it('removes sessions not written to within retentionMs, and checks for them once an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const log = sqliteEventLog({ path: ':memory:', retentionMs: 1000 });
    await log.open('old');
    vi.advanceTimersByTime(60 * 60 * 1000 - 1);
    await log.open('next');
    expect(await log.inspect('old')).toBeDefined();
    vi.advanceTimersByTime(1);
    await log.open('new');
    expect(await log.inspect('old')).toBeUndefined();
    expect(await log.inspect('new')).toBeDefined();
    await log.close();
  });

  it('in memory creates no file', async () => {
    onTestFinished(() => rmSync(':memory:', { force: true }));
    await sqliteEventLog({ path: ':memory:' }).close();
    expect(existsSync(':memory:')).toBe(false);
  });

  it('keeps a session for 30 days by default', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const log = sqliteEventLog({ path: ':memory:' });
    for (const [days, isKept] of [
      [30, true],
      [31, false],
    ] as const) {
      const id = `after ${days} days`;
      await log.open(id);
      vi.advanceTimersByTime(days * 24 * 60 * 60 * 1000);
      await log.open('other');
      expect((await log.inspect(id)) !== undefined).toBe(isKept);
    }
    await log.close();
  });

  it('ends the followers of an expired session, so that none misses its new beginning', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const log = sqliteEventLog({ path: ':memory:', retentionMs: 1000 });
    const writer = await log.open('s');
    await log.append({ sessionId: 's', seq: 1, kind: 'event', frames: 'data: 1\n\n' }, writer);
    const pages = log.follow('s', { afterSeq: 0 })[Symbol.asyncIterator]();
    expect((await pages.next()).value?.firstSeq).toBe(1);
    const next = pages.next();
    vi.advanceTimersByTime(60 * 60 * 1000);
    await log.open('s');
    expect((await next).done).toBe(true);
    await log.close();
  });

  it('removes expired sessions in small batches, one batch per opened session', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const path = join(newDirectory(), 'events.db');
    const before = sqliteEventLog({ path });
    for (let number = 0; number < 50; number += 1) await before.open(`old-${number}`);
    const { epoch } = await before.open('old-and-long');
    const appended = Array.from({ length: 3000 }, (_, at) =>
      before.append(
        { sessionId: 'old-and-long', seq: at + 1, kind: 'event', frames: 'data: 1\n\n' },
        { epoch },
      ),
    );
    await Promise.all(appended);
    await before.close();
    vi.advanceTimersByTime(60_000);
    const log = sqliteEventLog({ path, retentionMs: 1000 });
    const beside = new DatabaseSync(path, { readOnly: true });
    const left: number[] = [];
    for (let number = 0; number < 5; number += 1) {
      await log.open('new');
      left.push(Number(beside.prepare('SELECT count(*) AS count FROM sessions').get()?.['count']));
    }
    beside.close();
    await log.close();
    expect(left).toEqual([32, 12, 2, 1, 1]);
  });

  const eventOf = (seq: number, frames = 'data: 1\n\n') =>
    ({ sessionId: 's', seq, kind: 'event', frames }) as const;

  it.skipIf(process.platform === 'win32')('creates files that only their owner can read', async () => {
    const path = join(newDirectory(), 'events.db');
    const log = sqliteEventLog({ path });
    await log.open('s');
    const rights = [path, `${path}-wal`].map((file) => (statSync(file).mode & 0o777).toString(8));
    await log.close();
    expect(rights).toEqual(['600', '600']);
  });

  it('is closed at the end of an `await using` block', async () => {
    const log = sqliteEventLog({ path: ':memory:' });
    {
      await using used = log;
      await used.open('s');
    }
    await expect(log.open('s')).rejects.toMatchObject({ code: 'EVENT_LOG_CLOSED' });
  });

  it('writes pending appends before it closes, and leaves no WAL file behind', async () => {
    const path = join(newDirectory(), 'events.db');
    const log = sqliteEventLog({ path });
    const { epoch } = await log.open('s');
    const written = log.append(eventOf(1), { epoch });
    // In WAL mode readers do not wait for a writer.
    expect(existsSync(`${path}-wal`)).toBe(true);
    await log.close();
    await log.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const again = sqliteEventLog({ path });
    expect((await again.inspect('s'))?.headSeq).toBe(1);
    await written;
    await again.close();
  });

  it('reads and removes appends that were not awaited, and reads without a transaction', async () => {
    const log = sqliteEventLog({ path: ':memory:' });
    const { epoch } = await log.open('s');
    const first = log.append(eventOf(1), { epoch });
    expect((await log.inspect('s'))?.headSeq).toBe(1);
    const second = log.append(eventOf(2), { epoch });
    expect((await log.readAfter('s', { afterSeq: 0 })).ends).toHaveLength(2);
    await Promise.all([first, second]);
    const third = log.append(eventOf(3), { epoch });
    await log.remove('s');
    await third;
    expect(await log.inspect('s')).toBeUndefined();
    const execute = vi.spyOn(DatabaseSync.prototype, 'exec');
    await log.inspect('s');
    await log.readAfter('s', { afterSeq: 0 });
    expect(execute.mock.calls).toEqual([]);
    execute.mockRestore();
    await log.close();
  });

  it.each([
    ['up to 256 KiB', [128, 128, 1], 2],
    ['up to 500 entries', Array.from({ length: 501 }, () => 0), 500],
    ['one entry if that is larger', [300, 1], 1],
    ['the entries before a larger one', [1, 300], 1],
  ])('reads a page of %s', async (_, kibibytes, expected) => {
    const log = sqliteEventLog({ path: ':memory:' });
    const { epoch } = await log.open('s');
    const frames = kibibytes.map((count) => 'x'.repeat(count * 1024));
    await Promise.all(frames.map((text, index) => log.append(eventOf(index + 1, text), { epoch })));
    expect((await log.readAfter('s', { afterSeq: 0 })).ends).toHaveLength(expected);
    await log.close();
  });

  it('refuses a path that SQLite would take for a URL, and so open a different file', () => {
    expect(() => sqliteEventLog({ path: 'file:events.db' })).toThrow(
      expect.objectContaining({
        code: 'EVENT_LOG_UNAVAILABLE',
        message: expect.stringContaining("pass the path without 'file:'"),
      }),
    );
    expect(existsSync('file:events.db')).toBe(false);
  });

  it('names the path of a file that is not a database', async () => {
    const path = join(newDirectory(), 'text.db');
    writeFileSync(path, 'this is a text and not a database at all');
    expect(() => sqliteEventLog({ path })).toThrow(
      expect.objectContaining({ code: 'EVENT_LOG_UNAVAILABLE', message: expect.stringContaining(path) }),
    );
  });

  it.each([
    ['checkpoint', 'UPDATE sessions SET checkpoint = \'{"a":secret-7\''],
    ['note', 'UPDATE entries SET note = \'{"a":secret-7\''],
  ])('refuses to open a session with a malformed %s, without quoting it', async (_, damage) => {
    const path = join(newDirectory(), 'events.db');
    await using log = sqliteEventLog({ path });
    const { epoch } = await log.open('s');
    await log.append({ sessionId: 's', seq: 1, kind: 'event', frames: 'data: 1\n\n' }, { epoch });
    const other = new DatabaseSync(path);
    other.exec(damage);
    other.close();
    const error: unknown = await log.open('s').catch((refusal) => refusal);
    expect(error).toMatchObject({ code: 'EVENT_LOG_UNAVAILABLE' });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('secret');
  });

  it.each(['{"a":secret-7', '5', '[5]', '[{"epoch":"secret-7"}]'])(
    'refuses to read or open a session whose writers are %s, without quoting them',
    async (epochs) => {
      const path = join(newDirectory(), 'events.db');
      await using log = sqliteEventLog({ path });
      await log.open('s');
      const other = new DatabaseSync(path);
      other.prepare('UPDATE sessions SET epochs = ?').run(epochs);
      other.close();
      for (const asked of [log.inspect('s'), log.open('s')]) {
        const error: unknown = await asked.catch((refusal) => refusal);
        expect(error).toMatchObject({
          code: 'EVENT_LOG_UNAVAILABLE',
          message: expect.stringContaining('the writers of the session are malformed'),
        });
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('secret');
      }
    },
  );

  it('rejects an append that it cannot write, and works again once it can', async () => {
    const path = join(newDirectory(), 'events.db');
    const log = sqliteEventLog({ path });
    const { epoch } = await log.open('s');
    const { DatabaseSync } = await import('node:sqlite');
    const other = new DatabaseSync(path);
    other.exec('ALTER TABLE entries RENAME TO elsewhere');
    const event = { sessionId: 's', seq: 1, kind: 'event', frames: 'data: 1\n\n' } as const;
    await expect(log.append(event, { epoch })).rejects.toMatchObject({ code: 'EVENT_LOG_UNAVAILABLE' });
    other.exec('ALTER TABLE elsewhere RENAME TO entries');
    other.close();
    await log.append(event, { epoch });
    expect((await log.inspect('s'))?.headSeq).toBe(1);
    await log.close();
  });

  it('fails a follower when the file can no longer be read', async () => {
    const path = join(newDirectory(), 'events.db');
    const log = sqliteEventLog({ path, pollIntervalMs: 5 });
    const next = log.follow('s', { afterSeq: 0 })[Symbol.asyncIterator]().next();
    const { DatabaseSync } = await import('node:sqlite');
    const other = new DatabaseSync(path);
    other.exec('ALTER TABLE entries RENAME TO elsewhere');
    other.close();
    await expect(next).rejects.toMatchObject({ code: 'EVENT_LOG_UNAVAILABLE' });
    await log.close();
  });

  it('refuses an unknown option, and an interval too long for a timer', () => {
    expect(() => sqliteEventLog(Object.assign({ path: ':memory:' }, { retention: 5 }))).toThrow(
      new TypeError(
        "sqliteEventLog: unknown option 'retention'. Known options: path, pollIntervalMs, retentionMs.",
      ),
    );
    expect(() => sqliteEventLog({ path: ':memory:', pollIntervalMs: 2 ** 31 })).toThrow(
      /^pollIntervalMs .* at most/,
    );
  });

  it.each([undefined, 'events.db', {}, { path: undefined }])(
    'refuses %o instead of an object with a path',
    (options) => {
      expect(() => sqliteEventLog(options as never)).toThrow(/^path must be a string, got .*: pass { path }/);
    },
  );

  it.each(['pollIntervalMs', 'retentionMs'])('refuses 0 as %s', (name) => {
    expect(() => sqliteEventLog({ path: ':memory:', [name]: 0 })).toThrow(new RegExp(`${name} .* got 0`));
  });
});
