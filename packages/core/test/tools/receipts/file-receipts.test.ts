import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileReceiptStore } from '../../../src/tools/receipts/file-receipts.js';

let directory = '';
let path = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'receipts-'));
  path = join(directory, 'receipts');
});
afterEach(async () => rm(directory, { recursive: true }));

const writeLines = async (lines: readonly object[]) =>
  writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

it('a call that settled last outlives one that began after it', async () => {
  await writeLines([{ key: 'a' }, { key: 'b' }, { key: 'a', outcome: { ok: true, json: 1 } }]);
  await using store = fileReceiptStore({ path, maxReceipts: 1 });
  expect(await store.find('a')).toMatchObject({ state: 'settled' });
  expect(await store.find('b')).toBeUndefined();
});

it('opening a file with many lines for few calls compacts it and makes it private to its owner', async () => {
  await writeLines(Array.from({ length: 9 }, () => ({ key: 'a' })));
  await using store = fileReceiptStore({ path, maxReceipts: 2 });
  expect(await store.find('a')).toEqual({ state: 'begun' });
  expect(await readFile(path, 'utf8')).toBe('{"key":"a"}\n');
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o077).toBe(0);
});

it('closing a store waits for a begin that is being written', async () => {
  const store = fileReceiptStore({ path });
  const beginning = store.begin('a', { toolName: 't', at: 1 });
  await store.close();
  expect(await readFile(path, 'utf8')).toContain('"a"');
  await beginning;
});

it('an open store drops the least recently written call beyond maxReceipts', async () => {
  await using store = fileReceiptStore({ path, maxReceipts: 2 });
  const intent = { toolName: 't', at: 1 };
  for (const key of ['a', 'b']) await store.begin(key, intent);
  await store.settle('a', { ok: true, json: 1 });
  await store.begin('c', intent);
  expect(await store.find('a')).toMatchObject({ state: 'settled' });
  expect(await store.find('b')).toBeUndefined();
  expect(await store.find('c')).toEqual({ state: 'begun' });
});

it('an open store compacts its file as it grows and keeps writing to it', async () => {
  const intent = { toolName: 't', at: 1 };
  const lineCounts: number[] = [];
  {
    await using store = fileReceiptStore({ path, maxReceipts: 2 });
    for (let call = 0; call < 20; call += 1) {
      await store.begin(`call-${call}`, intent);
      await store.settle(`call-${call}`, { ok: true, json: call });
      lineCounts.push((await readFile(path, 'utf8')).split('\n').length - 1);
    }
  }
  expect(Math.max(...lineCounts)).toBeLessThanOrEqual(8);
  await using again = fileReceiptStore({ path });
  for (const call of [18, 19])
    expect(await again.find(`call-${call}`)).toEqual({ state: 'settled', outcome: { ok: true, json: call } });
});

it.skipIf(process.platform === 'win32')('compacts the file that a symbolic link leads to', async () => {
  const link = join(directory, 'link');
  await symlink(path, link); // The file itself is created by the store.
  {
    await using store = fileReceiptStore({ path: link, maxReceipts: 1 });
    for (let at = 0; at < 5; at += 1) await store.begin('a', { toolName: 't', at });
  }
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect((await readFile(path, 'utf8')).split('\n').length).toBeLessThan(5);
});

it('calls succeed even if the file cannot be compacted', async () => {
  await mkdir(`${path}.new`);
  await using store = fileReceiptStore({ path, maxReceipts: 1 });
  for (let call = 0; call < 9; call += 1) await store.begin(`call-${call}`, { toolName: 't', at: 1 });
  expect(await store.find('call-8')).toEqual({ state: 'begun' });
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(10);
});

it.skipIf(!existsSync('/dev/full')).each([
  ['an open file', 0],
  ['a file that is being opened', 9],
])(
  'calls succeed if the disk has no room to compact %s, and none is taken from them',
  async (_what, lines) => {
    await symlink('/dev/full', `${path}.new`);
    await writeLines(Array.from({ length: lines }, (_, call) => ({ key: `earlier-${call}` })));
    await using store = fileReceiptStore({ path, maxReceipts: 1 });
    for (let call = 0; call < 4; call += 1) await store.begin(`call-${call}`, { toolName: 't', at: 1 });
    expect(await store.find('call-3')).toEqual({ state: 'begun' });
    expect(await readdir(directory)).toEqual(['receipts']);
  },
);

it('keeps the latest 64 Mi characters of results, and of older calls that they began', async () => {
  const json = 'x'.repeat(1024 * 1024);
  await writeLines(
    Array.from({ length: 70 }, (_, call) => ({ key: `call-${call}`, outcome: { ok: true, json } })),
  );
  await using store = fileReceiptStore({ path });
  expect(await store.find('call-5')).toEqual({ state: 'begun' });
  expect(await store.find('call-10')).toMatchObject({ state: 'settled' });
  await store.settle('call-70', { ok: true, json });
  await store.settle('call-71', { ok: true, json });
  expect(await store.find('call-7')).toEqual({ state: 'begun' });
  expect(await store.find('call-71')).toMatchObject({ state: 'settled' });
});

it('starts a new line after one that was cut off', async () => {
  await writeFile(path, '{"key":"a"}\n{"key":"b');
  {
    await using store = fileReceiptStore({ path });
    await store.begin('c', { toolName: 't', at: 1 });
  }
  await using again = fileReceiptStore({ path });
  expect([await again.find('a'), await again.find('b'), await again.find('c')]).toEqual([
    { state: 'begun' },
    undefined,
    { state: 'begun' },
  ]);
});
