import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
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
  it('says which Node it takes where there is no SQLite', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValueOnce(undefined);
    const message = `cannot open :memory:: node:sqlite is missing in Node ${process.version}; it takes Node 22.19 or newer`;
    expect(() => sqliteEventLog({ path: ':memory:' })).toThrow(
      expect.objectContaining({ code: 'EVENT_LOG_UNAVAILABLE', message: expect.stringContaining(message) }),
    );
  });

  it('closes a file that is no database', () => {
    const path = join(newDirectory(), 'notes.txt');
    writeFileSync(path, 'no database');
    const close = vi.spyOn(DatabaseSync.prototype, 'close');
    expect(() => sqliteEventLog({ path })).toThrow(
      expect.objectContaining({ code: 'EVENT_LOG_UNAVAILABLE' }),
    );
    expect(close).toHaveBeenCalledOnce();
  });

  it('forgets sessions that nobody has written to for the retention time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const log = sqliteEventLog({ path: ':memory:', retentionMs: 1000 });
    await log.open('old');
    vi.advanceTimersByTime(60 * 60 * 1000 + 1);
    await log.open('new');
    expect(await log.inspect('old')).toBeUndefined();
    expect(await log.inspect('new')).toBeDefined();
    await log.close();
  });

  it('says what is wrong with a file that is no database', async () => {
    const path = join(newDirectory(), 'text.db');
    writeFileSync(path, 'this is a text and not a database at all');
    expect(() => sqliteEventLog({ path })).toThrow(
      expect.objectContaining({ code: 'EVENT_LOG_UNAVAILABLE', message: expect.stringContaining(path) }),
    );
  });

  it('rejects what it cannot write, and writes on once it can', async () => {
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

  it('tells who follows that it cannot be read any more', async () => {
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

  it('refuses an option that does not exist, and a time that no timer can wait', () => {
    expect(() => sqliteEventLog(Object.assign({ path: ':memory:' }, { retention: 5 }))).toThrow(
      new TypeError('sqliteEventLog does not know the option retention'),
    );
    expect(() => sqliteEventLog({ path: ':memory:', pollIntervalMs: 2 ** 31 })).toThrow(
      /^pollIntervalMs .* at most/,
    );
  });

  it.each([undefined, 'events.db', {}, { path: undefined }])(
    'says that it takes a path, not %j',
    (options) => {
      expect(() => sqliteEventLog(options as never)).toThrow(/^sqliteEventLog takes { path }/);
    },
  );

  it.each(['pollIntervalMs', 'retentionMs'])('refuses a %s of nothing', (name) => {
    expect(() => sqliteEventLog({ path: ':memory:', [name]: 0 })).toThrow(new RegExp(`${name} .* got 0`));
  });
});
