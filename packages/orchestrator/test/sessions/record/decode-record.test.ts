import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { decodeEvent, decodeRecord } from '../../../src/sessions/record/decode-record.js';

const record = (kind: string, data: JsonValue) => ({ kind, data, seq: 7, atMs: 1000 });
const unreadable = expect.objectContaining({ code: 'RUN_UNREADABLE', details: { session_id: 'sess_1' } });

const checkpoint = {
  checkpoint_id: 'c1',
  data_key: 'city',
  prompt: 'Which city?',
  step_number: 1,
  args_digest: 'd',
  expires_at_ms: 5,
};
const usage = { input_tokens: 1 };
const records: [kind: string, data: { [name: string]: JsonValue }, required: readonly string[]][] = [
  ['event', { name: 'update', payload: { any: ['thing', null] } }, ['name', 'payload']],
  [
    'step',
    { number: 1, step: { type: 'finish', text: 'Done' }, call_ids: [] },
    ['number', 'step', 'call_ids'],
  ],
  ['step', { number: 1, step: { type: 'ask', questions: [] }, call_ids: [], problems: ['no'] }, ['number']],
  ['call', { call_id: 'a', expires_at_ms: 5, is_agent: true }, ['call_id']],
  ['wait', { call_id: 'a', expires_at_ms: 5 }, ['call_id', 'expires_at_ms']],
  ['nested', { call_id: 'a', session_id: 's' }, ['call_id', 'session_id']],
  [
    'outcome',
    { call_id: 'a', outcome: { status: 'ok', result: null }, cause: 'posted', usage },
    ['call_id', 'outcome', 'cause'],
  ],
  [
    'outcome',
    { call_id: 'a', outcome: { status: 'error', error: { code: 'E', message: 'm' } }, cause: 'expired' },
    ['outcome'],
  ],
  ['checkpoint', checkpoint, Object.keys(checkpoint)],
  ['checkpoint', { ...checkpoint, choices: ['Rome'], question_id: 'q', call_id: 'a', arg_name: 'x' }, []],
  ['answer', { checkpoint_id: 'c1', value: null, cause: 'expired' }, ['checkpoint_id', 'value', 'cause']],
  ['memory', { items: [{ kind: 'skill', id: 'm', title: 't', text: 'x' }] }, ['items']],
  ['cancel', { code: 'CANCELLED', reason: 'enough' }, ['code', 'reason']],
];

it.each(records)('decodes a record of kind %s', (kind, data) => {
  expect(decodeRecord('sess_1', record(kind, data))).toEqual(record(kind, data));
});

it.each(records)('refuses one of kind %s whose data is something else', (kind, data, required) => {
  for (const other of [null, 'secret-4711', 5, [data]])
    expect(() => decodeRecord('sess_1', record(kind, other))).toThrow(unreadable);
  for (const name of required) {
    const { [name]: _left, ...rest } = data;
    expect(() => decodeRecord('sess_1', record(kind, rest))).toThrow(unreadable);
    const changed = { ...data, [name]: Array.isArray(data[name]) ? 'x' : [{}] };
    // An answer may be any value.
    if (name !== 'value') expect(() => decodeRecord('sess_1', record(kind, changed))).toThrow(unreadable);
  }
});

it('refuses a step and an outcome that are malformed within', () => {
  const step = { type: 'call', calls: [{ args: {} }] };
  expect(() => decodeRecord('sess_1', record('step', { number: 1, step, call_ids: ['a'] }))).toThrow(
    unreadable,
  );
  const outcome = { status: 'error', error: 'secret-4711' };
  const data = { call_id: 'a', outcome, cause: 'posted' };
  expect(() => decodeRecord('sess_1', record('outcome', data))).toThrow(unreadable);
});

it('refuses times that no date can have', () => {
  const data = { name: 'update', payload: {} };
  for (const atMs of [NaN, 9e15, -9e15])
    expect(() => decodeRecord('sess_1', { ...record('event', data), atMs })).toThrow(unreadable);
  for (const [kind, fields] of records) {
    if (!('expires_at_ms' in fields)) continue;
    expect(() => decodeRecord('sess_1', record(kind, { ...fields, expires_at_ms: 9e15 }))).toThrow(
      unreadable,
    );
  }
});

it('does not quote the data in its error', () => {
  const decode = () => decodeRecord('sess_1', record('cancel', { code: ['secret-4711'], reason: 'x' }));
  expect(decode).toThrow(expect.not.objectContaining({ message: expect.stringContaining('4711') }));
  expect(decode).toThrow(expect.not.objectContaining({ cause: expect.anything() }));
});

it('ignores kinds it does not know, also those named like inherited properties', () => {
  expect(decodeRecord('sess_1', record('newer', null))).toBeUndefined();
  expect(decodeRecord('sess_1', record('constructor', null))).toBeUndefined();
});

it('reads events without looking at other records', () => {
  expect(decodeEvent('sess_1', record('step', null))).toBeUndefined();
  const data = { name: 'final', payload: {} };
  expect(decodeEvent('sess_1', record('event', data))).toEqual(record('event', data));
});
