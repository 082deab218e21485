import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { decodeRecord } from '../../src/runs/run-codec.js';

const entry = (fields: Record<string, string>) =>
  [
    Buffer.from('3-0'),
    Object.entries(fields)
      .flat()
      .map((text) => Buffer.from(text)),
  ] as const;

it('decodes a record, and ignores fields that a newer version may have added', () => {
  const fields = { k: 'event', d: '{"a":1}', a: '5', y: 'key', z: 'newer' };
  const record = { seq: 3, kind: 'event', data: { a: 1 }, atMs: 5, key: 'key' };
  expect(decodeRecord('sess', entry(fields))).toEqual(record);
});

it('refuses a record with malformed data, without repeating any of it', () => {
  let refusal: unknown;
  try {
    decodeRecord('sess', entry({ k: 'event', d: 'secret-4711', a: '5' }));
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ code: 'RUN_UNREADABLE', details: { session_id: 'sess' } });
  expect(inspect(refusal, { depth: 20, showHidden: true })).not.toContain('4711');
});
