import { expect, it } from 'vitest';
import { KeyRing } from '../../src/keys/key-ring.js';
import type { FixedKey, KeyScope } from '../../src/keys/key-scope.js';
import { formatKey, hashKey } from '../../src/keys/key-token.js';
import { randomText } from '../../src/random-text.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { ManualClock } from '../support/manual-clock.js';

function newRing(fixed: FixedKey[] = []) {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  return { store, clock, ring: new KeyRing({ store, clock, randomText, fixed }) };
}

it('identifies a created key by project and organization, and no similar string', async () => {
  const { ring } = newRing();
  const { id, key } = await ring.create({ project: 'shop', organization: 'acme' });
  expect(key).toMatch(/^svc_[a-z0-9]{12}_[A-Za-z0-9]{43}$/);
  expect(await ring.identify(key)).toEqual({ keyId: id, project: 'shop', organization: 'acme' });
  const last = key.at(-1) === 'a' ? 'b' : 'a';
  for (const wrong of ['', id, `${key}a`, key.slice(0, -1), key.slice(0, -1) + last, key.toUpperCase()]) {
    expect(await ring.identify(wrong)).toBeUndefined();
  }
});

it('stores a hash, never the key', async () => {
  const { store, ring } = newRing();
  const { key } = await ring.create({ project: 'shop' });
  const stored = await store.listDocuments({ projectId: '', collection: 'keys', nowMs: 0, limit: 10 });
  expect(stored).toHaveLength(1);
  const secret = key.split('_')[2];
  expect(JSON.stringify(stored)).not.toContain(secret);
});

it('lists keys without their secrets, optionally by project, including revoked ones', async () => {
  const { ring } = newRing();
  const first = await ring.create({ project: 'shop' });
  const second = await ring.create({ project: 'bank', organization: 'acme' });
  expect(await ring.revoke(first.id)).toBe(true);
  expect(await ring.list()).toEqual([
    {
      id: first.id,
      project: 'shop',
      createdAt: '2026-01-01T00:00:00.000Z',
      revokedAt: '2026-01-01T00:00:00.000Z',
    },
    { id: second.id, project: 'bank', organization: 'acme', createdAt: '2026-01-01T00:00:00.000Z' },
  ]);
  expect(await ring.list({ project: 'bank' })).toHaveLength(1);
});

it('refuses to list keys by an unknown filter', async () => {
  const { ring } = newRing();
  await expect(ring.list({ projct: 'bank' } as object)).rejects.toThrow(
    "keys.list: unknown option 'projct'. Known options: project.",
  );
});

it('keeps the first revocation time when a key is revoked again', async () => {
  const { clock, ring } = newRing();
  const { id } = await ring.create({ project: 'shop' });
  await ring.revoke(id);
  clock.advance(1000);
  await ring.revoke(id);
  expect(await ring.list()).toMatchObject([{ id, revokedAt: '2026-01-01T00:00:00.000Z' }]);
});

it('lists a key that comes after 10,000 others', async () => {
  const { store, ring } = newRing();
  const { id } = await ring.create({ project: 'shop' });
  const { value } = (await store.readDocument({ projectId: '', collection: 'keys', id }, 0)) ?? {};
  const place = { projectId: '', collection: 'keys', nowMs: 0 };
  for (let number = 0; number < 10_000; number += 1)
    await store.putDocument({ ...place, id: `${number}`, value: value ?? null });
  const last = await ring.create({ project: 'bank' });
  expect(await ring.list({ project: 'bank' })).toMatchObject([{ id: last.id }]);
});

it('rejects a revoked key at once, notifies listeners, and returns false for an unknown key', async () => {
  const { ring } = newRing();
  const { id, key } = await ring.create({ project: 'shop' });
  const revoked: string[] = [];
  const stop = ring.onRevoked((keyId) => revoked.push(keyId));
  expect(await ring.isValid(id)).toBe(true);
  await ring.revoke(id);
  expect(await ring.identify(key)).toBeUndefined();
  expect(await ring.isValid(id)).toBe(false);
  expect(revoked).toEqual([id]);
  stop();
  await ring.revoke(id);
  expect(revoked).toEqual([id]);
  expect(await ring.revoke('nobody')).toBe(false);
});

it('a stored key that is passed as a fixed one too keeps its project, its limits and its revocation', async () => {
  const { store, clock, ring } = newRing();
  const { id, key } = await ring.create({ project: 'shop', operations: ['run'] });
  const fixed = [{ key, project: 'local' }];
  const other = new KeyRing({ store, clock, randomText, fixed });
  expect(await other.identify(key)).toEqual({ keyId: id, project: 'shop', operations: ['run'] });
  await ring.revoke(id);
  expect(await other.identify(key)).toBeUndefined();
  expect(await new KeyRing({ store, clock, randomText, fixed }).identify(key)).toBeUndefined();
});

it('accepts fixed keys of any form, which are neither listed nor stored', async () => {
  const { store, ring } = newRing([{ key: 'test-key-0001', project: 'local' }]);
  const caller = await ring.identify('test-key-0001');
  expect(caller).toMatchObject({ project: 'local' });
  expect(await ring.isValid(caller?.keyId ?? '')).toBe(true);
  expect(await ring.list()).toEqual([]);
  expect(await store.listDocuments({ projectId: '', collection: 'keys', nowMs: 0, limit: 10 })).toEqual([]);
  expect(await ring.identify('test-key-0002')).toBeUndefined();
});

it('creates no key from a scope with an unknown field', async () => {
  const { ring } = newRing();
  // What a caller without types can pass.
  const mistyped = { project: 'shop', operation: ['read'] } as KeyScope;
  const refusal = { code: 'CONFIG_INVALID_OPTION', details: { option: 'operation' } };
  await expect(ring.create(mistyped)).rejects.toMatchObject(refusal);
  expect(await ring.list()).toEqual([]);
});

it('limits a key to its operations and lists them even after it is revoked', async () => {
  const { ring } = newRing();
  const { id, key } = await ring.create({ project: 'shop', operations: ['metrics', 'run', 'run'] });
  const operations = ['run', 'metrics'];
  expect(await ring.identify(key)).toEqual({ keyId: id, project: 'shop', operations });
  await ring.revoke(id);
  expect(await ring.list()).toMatchObject([{ id, operations, revokedAt: expect.any(String) }]);
});

it('gives a key of an earlier version every operation, and ignores operations of a later version', async () => {
  const { store, ring } = newRing();
  const secret = 'a'.repeat(43);
  const keyWith = async (id: string, rest: { operations?: string[] }) => {
    const key = formatKey({ id, secret });
    const value = { project: 'shop', hash: hashKey(key), ...rest };
    await store.putDocument({ projectId: '', collection: 'keys', id, value, nowMs: 0 });
    return ring.identify(key);
  };
  expect(await keyWith('earlier00000', {})).toEqual({ keyId: 'earlier00000', project: 'shop' });
  expect(await keyWith('later0000000', { operations: ['fly', 'read'] })).toMatchObject({
    operations: ['read'],
  });
  expect(await keyWith('later0000001', { operations: ['fly'] })).toMatchObject({ operations: [] });
});

it('picks another id for a key when one is taken', async () => {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  const ids = ['a', 'a', 'b'].map((letter) => letter.repeat(12));
  const scripted = (length: number) => (length === 12 ? (ids.shift() ?? '') : randomText(length));
  const ring = new KeyRing({ store, clock, randomText: scripted, fixed: [] });
  const [shop, bank] = [await ring.create({ project: 'shop' }), await ring.create({ project: 'bank' })];
  expect([shop.id, bank.id]).toEqual(['a'.repeat(12), 'b'.repeat(12)]);
  expect(await ring.identify(shop.key)).toMatchObject({ project: 'shop' });
  expect(await ring.identify(bank.key)).toMatchObject({ project: 'bank' });
});

it('refuses to use, list or revoke a key whose stored data is malformed, and names it', async () => {
  const { store, ring } = newRing();
  const { id, key } = await ring.create({ project: 'shop' });
  await store.putDocument({ projectId: '', collection: 'keys', id, value: { project: 4711 }, nowMs: 0 });
  const unreadable = { code: 'DOCUMENT_UNREADABLE', details: { collection: 'keys', id } };
  for (const ask of [
    () => ring.identify(key),
    () => ring.isValid(id),
    () => ring.list(),
    () => ring.revoke(id),
  ]) {
    await expect(ask()).rejects.toMatchObject(unreadable);
  }
});
