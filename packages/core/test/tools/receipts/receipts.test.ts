import { appendFileSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { dependsOnTool } from '../../../src/decorators/depends-on.js';
import type { LogRecord } from '../../../src/logging/log-record.js';
import { configureLogging } from '../../../src/logging/logger.js';
import { fileReceiptStore } from '../../../src/tools/receipts/file-receipts.js';
import { memoryReceiptStore, type ReceiptStore } from '../../../src/tools/receipts/receipts.js';
import type { PermissionName } from '../../../src/tools/declaration/permissions.js';
import type { ScriptedSession } from '../../../src/testing/scripted-session.js';
import { startAgent } from '../../agent-setup.js';

const oneCall = async (session: ScriptedSession): Promise<void> => {
  session.finish({ result: await session.callTool('t', {}, 'ev-1') });
};

interface Attempt {
  receipts: ReceiptStore;
  permissions?: PermissionName[];
  idempotent?: boolean;
  run: () => unknown;
}

/** Runs the same call with a new agent, as another process would: same session id, same event id. */
async function attempt({
  receipts,
  run,
  permissions = ['write'],
  idempotent = false,
}: Attempt): Promise<unknown> {
  await using setup = await startAgent(oneCall, {
    receipts,
    toolTimeoutMs: 20,
    privateData: { token: 'private-token-1' },
  });
  setup.agent.toolify({ name: 't', description: 't', permissions, idempotent }, run);
  return (await setup.agent.invoke('x')).result;
}

const hangs = async () => new Promise<never>(() => {});

describe('a repeated call', () => {
  it.each<[string, PermissionName[], number]>([
    ['write', ['write'], 1],
    ['delete', ['delete'], 1],
    ['admin', ['read', 'admin'], 1],
    ['read', ['read'], 2],
    ['nothing', [], 2],
  ])('runs only once if its tool may write: permission for %s', async (_name, permissions, expectedRuns) => {
    const receipts = memoryReceiptStore();
    let runs = 0;
    const run = () => (runs += 1);
    await attempt({ receipts, permissions, run });
    await attempt({ receipts, permissions, run });
    expect(runs).toBe(expectedRuns);
  });

  it('returns the recorded result, without private values', async () => {
    const receipts = memoryReceiptStore();
    const first = await attempt({ receipts, run: () => ({ receipt: 'r-1', used: 'private-token-1' }) });
    const again = await attempt({ receipts, run: () => 'another' });
    expect(again).toEqual(first);
    expect(await receipts.find('session-1:ev-1')).toEqual({
      state: 'settled',
      outcome: { ok: true, json: { receipt: 'r-1', used: '{_{token}_}' } },
    });
  });

  it('returns the recorded failure', async () => {
    const receipts = memoryReceiptStore();
    const first = await attempt({
      receipts,
      run: () => {
        throw new Error('declined');
      },
    });
    expect(await attempt({ receipts, run: () => 'another' })).toEqual(first);
  });

  it('passes the recorded result on to the tools that depend on it', async () => {
    const receipts = memoryReceiptStore();
    await receipts.settle('session-1:ev-1', { ok: true, json: { id: 'r-1' } });
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('charge', {}, 'ev-1');
        session.finish({ result: await session.callTool('mail') });
      },
      { receipts },
    );
    const charge = setup.agent.toolify(
      { name: 'charge', description: 'Charge', permissions: ['write'] },
      () => 'another',
    );
    const inject = { receipt: dependsOnTool(charge) };
    setup.agent.toolify({ name: 'mail', description: 'Mail', inject }, ({ receipt }) => receipt);
    expect((await setup.agent.invoke('x')).result).toMatchObject({ result: { id: 'r-1' } });
  });
});

describe('a call that began but did not settle', () => {
  it('has an unknown outcome and is not run again', async () => {
    const receipts = memoryReceiptStore();
    const first = await attempt({ receipts, run: hangs });
    expect(first).toMatchObject({ error: { code: 'TOOL_TIMEOUT', details: { outcome: 'unknown' } } });
    let runs = 0;
    expect(await attempt({ receipts, run: () => (runs += 1) })).toMatchObject({
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    });
    expect(runs).toBe(0);
  });

  it('is run again if the tool is idempotent', async () => {
    const receipts = memoryReceiptStore();
    await attempt({ receipts, idempotent: true, run: hangs });
    expect(await attempt({ receipts, idempotent: true, run: () => 'done' })).toMatchObject({
      result: 'done',
    });
  });
});

describe('a call of a writing tool', () => {
  it('records its intent, runs, then records its outcome', async () => {
    const trace: string[] = [];
    const memory = memoryReceiptStore();
    const receipts: ReceiptStore = {
      find: (key) => memory.find(key),
      async begin(key, intent) {
        trace.push(`begin ${key} ${intent.toolName}`);
        await memory.begin(key, intent);
      },
      async settle(key, outcome) {
        trace.push(`settle ${String(outcome.ok)}`);
        await memory.settle(key, outcome);
      },
    };
    await attempt({ receipts, run: () => trace.push('effect') });
    expect(trace).toEqual(['begin session-1:ev-1 t', 'effect', 'settle true']);
  });

  it.each([null, undefined])(
    'runs if its store answers %s for a call that it does not know',
    async (unknown) => {
      const receipts = { ...memoryReceiptStore(), find: async () => unknown as undefined };
      expect(await attempt({ receipts, run: () => 'done' })).toMatchObject({ result: 'done' });
    },
  );

  it('leaves no record if it was refused before it ran', async () => {
    const receipts = memoryReceiptStore();
    await using setup = await startAgent(oneCall, { receipts });
    const input = z.object({ amount: z.number() });
    setup.agent.toolify({ name: 't', description: 't', permissions: ['write'], input }, () => 1);
    expect((await setup.agent.invoke('x')).result).toMatchObject({
      error: { code: 'TOOL_INVALID_ARGUMENTS' },
    });
    expect(await receipts.find('session-1:ev-1')).toBeUndefined();
  });

  it('does not run if its intent cannot be recorded', async () => {
    const broken = { ...memoryReceiptStore(), begin: async () => Promise.reject(new Error('disk full')) };
    let runs = 0;
    expect(await attempt({ receipts: broken, run: () => (runs += 1) })).toMatchObject({
      error: { code: 'TOOL_RECEIPT_UNAVAILABLE', retryable: true },
    });
    expect(runs).toBe(0);
  });

  it.each(['find', 'begin'] as const)(
    'reports only the error code of a failing store, and logs the rest: %s',
    async (step) => {
      const error = Object.assign(new Error('no space at redis://user:canary@host'), { code: 'ENOSPC' });
      const broken = { ...memoryReceiptStore(), [step]: async () => Promise.reject(error) };
      const lines: LogRecord[] = [];
      configureLogging({ level: 'error', sink: (line) => void lines.push(line) });
      onTestFinished(() => configureLogging({ level: 'silent' }));
      const result = await attempt({ receipts: broken, run: () => 'done' });
      expect(result).toMatchObject({
        error: {
          code: 'TOOL_RECEIPT_UNAVAILABLE',
          message: expect.stringContaining('The receipt store failed (ENOSPC)'),
        },
      });
      expect(JSON.stringify(result)).not.toContain('canary');
      expect(lines).toMatchObject([{ fields: { tool: 't', reason: error.message } }]);
    },
  );

  it('returns its result even if that cannot be recorded', async () => {
    const broken = { ...memoryReceiptStore(), settle: async () => Promise.reject(new Error('disk full')) };
    expect(await attempt({ receipts: broken, run: () => 'done' })).toMatchObject({ result: 'done' });
  });
});

it('a memory receipt store is bounded and drops the least recently written receipts first', async () => {
  const receipts = memoryReceiptStore({ maxReceipts: 2 });
  for (const key of ['a', 'b']) await receipts.begin(key, { toolName: 't', at: 0 });
  await receipts.settle('a', { ok: true, json: 1 });
  await receipts.begin('c', { toolName: 't', at: 0 });
  const found = await Promise.all(['a', 'b', 'c'].map(async (key) => receipts.find(key)));
  expect(found.map((receipt) => receipt?.state)).toEqual(['settled', undefined, 'begun']);
});

it.each<[string, () => unknown, string]>([
  [
    'an unknown option of the memory store',
    () => memoryReceiptStore({ max: 1 } as never),
    'CONFIG_UNKNOWN_OPTION',
  ],
  [
    'an unknown option of the file store',
    () => fileReceiptStore({ path: '/nowhere/r', max: 1 } as never),
    'CONFIG_UNKNOWN_OPTION',
  ],
  ['a maxReceipts of 0', () => memoryReceiptStore({ maxReceipts: 0 }), 'CONFIG_INVALID_OPTION'],
  [
    'a maxReceipts of NaN',
    () => fileReceiptStore({ path: '/nowhere/r', maxReceipts: Number.NaN }),
    'CONFIG_INVALID_OPTION',
  ],
  ['a number as path', () => fileReceiptStore({ path: 1 } as never), 'CONFIG_INVALID_OPTION'],
  ['no options for the file store', () => fileReceiptStore(undefined as never), 'CONFIG_INVALID_OPTION'],
])('refuses %s', (_name, make, code) => {
  expect(make).toThrow(expect.objectContaining({ code }));
});

describe('a file receipt store', () => {
  const newPath = () => join(mkdtempSync(join(tmpdir(), 'svc-receipts-')), 'receipts.jsonl');

  it('keeps receipts across processes in a file that only its owner can read', async () => {
    const path = newPath();
    await using first = fileReceiptStore({ path });
    expect(await first.find('a')).toBeUndefined();
    await first.begin('a', { toolName: 't', at: 1 });
    await first.begin('b', { toolName: 't', at: 2 });
    await first.settle('b', { ok: true, json: { done: true } });
    await first.begin('c', { toolName: 't', at: 3 });
    await first.settle('c', { ok: false, failure: { code: 'X', message: 'x', retryable: true } });
    await first.close();
    await using second = fileReceiptStore({ path });
    expect(await second.find('a')).toEqual({ state: 'begun' });
    expect(await second.find('b')).toEqual({ state: 'settled', outcome: { ok: true, json: { done: true } } });
    expect(await second.find('c')).toEqual({
      state: 'settled',
      outcome: { ok: false, failure: { code: 'X', message: 'x', retryable: true } },
    });
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it.each([
    ['in a missing directory', join(newPath(), 'receipts.jsonl'), 'ENOENT'],
    ['of a directory', tmpdir(), 'EISDIR'],
  ])('refuses a path %s when it is created', (_name, path, reason) => {
    expect((): unknown => fileReceiptStore({ path })).toThrow(
      expect.objectContaining({ code: 'CONFIG_FILE_UNREADABLE', details: { path, reason } }),
    );
  });

  it('skips a line that a crash cut off', async () => {
    const path = newPath();
    await using first = fileReceiptStore({ path });
    await first.begin('a', { toolName: 't', at: 1 });
    appendFileSync(path, '{"key":"a","outc');
    await using second = fileReceiptStore({ path });
    expect(await second.find('a')).toEqual({ state: 'begun' });
    await second.begin('b', { toolName: 't', at: 2 });
    await using third = fileReceiptStore({ path });
    expect(await third.find('b')).toEqual({ state: 'begun' });
  });

  it('stays readable after a line that did not fit on the disk', async () => {
    const path = newPath();
    await using first = fileReceiptStore({ path });
    await first.begin('a', { toolName: 't', at: 1 });
    const some = await open(path);
    const append = vi.spyOn(Object.getPrototypeOf(some) as typeof some, 'appendFile');
    await some.close();
    append.mockImplementationOnce(async (line) => {
      appendFileSync(path, String(line).slice(0, 8));
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    await expect(first.begin('b', { toolName: 't', at: 2 })).rejects.toMatchObject({ code: 'ENOSPC' });
    append.mockRestore();
    expect(await first.find('b')).toBeUndefined();
    await first.begin('c', { toolName: 't', at: 3 });
    await using second = fileReceiptStore({ path });
    expect(await second.find('b')).toBeUndefined();
    expect(await second.find('c')).toEqual({ state: 'begun' });
  });

  it('begins no call whose line may not have reached the disk', async () => {
    const path = newPath();
    await using store = fileReceiptStore({ path });
    await store.begin('a', { toolName: 't', at: 1 });
    const some = await open(path);
    const sync = vi.spyOn(Object.getPrototypeOf(some) as typeof some, 'datasync');
    await some.close();
    sync.mockRejectedValueOnce(Object.assign(new Error('broken disk'), { code: 'EIO' }));
    await expect(store.begin('b', { toolName: 't', at: 2 })).rejects.toMatchObject({ code: 'EIO' });
    sync.mockRestore();
    await store.begin('b', { toolName: 't', at: 3 });
    expect(await store.find('b')).toEqual({ state: 'begun' });
  });

  it('works again once a file that could not be opened can be', async () => {
    const path = newPath();
    await using store = fileReceiptStore({ path });
    rmSync(path);
    mkdirSync(path);
    await expect(store.find('a')).rejects.toMatchObject({ code: 'EISDIR' });
    rmdirSync(path);
    expect(await store.find('a')).toBeUndefined();
    mkdirSync(path);
    await expect(store.begin('a', { toolName: 't', at: 1 })).rejects.toMatchObject({ code: 'EISDIR' });
    rmdirSync(path);
    await store.begin('a', { toolName: 't', at: 1 });
    await using second = fileReceiptStore({ path });
    expect(await second.find('a')).toEqual({ state: 'begun' });
  });

  it('drops receipts beyond maxReceipts when the file is opened', async () => {
    const path = newPath();
    await using first = fileReceiptStore({ path });
    for (const key of ['a', 'b', 'c']) await first.settle(key, { ok: true, json: key });
    await first.close();
    await using second = fileReceiptStore({ path, maxReceipts: 2 });
    expect(await second.find('a')).toBeUndefined();
    expect(await second.find('c')).toMatchObject({ state: 'settled' });
  });

  it('reports an unknown outcome for a call that a crash interrupted', async () => {
    const path = newPath();
    await using first = fileReceiptStore({ path });
    await attempt({ receipts: first, run: hangs });
    await using second = fileReceiptStore({ path });
    expect(await attempt({ receipts: second, run: () => 'again' })).toMatchObject({
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    });
  });
});
