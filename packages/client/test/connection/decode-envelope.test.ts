import { describe, expect, it } from 'vitest';
import { decodeEnvelope } from '../../src/connection/decode-envelope.js';

const data = { contract_version: 'v1' };

describe('decodeEnvelope', () => {
  it.each([
    [
      'a full envelope',
      { id: '1', event: 'a', data: { id: '1', type: 'a', timestamp: 't', data } },
      ['1', 'a', 't'],
    ],
    ['no frame id: the envelope has one', { event: 'a', data: { id: '2', type: 'a', data } }, ['2', 'a', '']],
    ['no event name: the envelope has one', { id: '1', data: { type: 'b', data } }, ['1', 'b', '']],
    [
      'both names: the frame wins',
      { id: '1', event: 'a', data: { id: '9', type: 'b', data } },
      ['1', 'a', ''],
    ],
    ['ids and times of odd types', { event: 'a', data: { id: 7, timestamp: {}, data } }, ['', 'a', '']],
  ])('reads %s', (_, frame, [id, type, timestamp]) => {
    expect(decodeEnvelope({ ...frame, data: JSON.stringify(frame.data) })).toEqual({
      id,
      type,
      timestamp,
      data,
    });
  });

  it('reads an event without any content', () => {
    expect(decodeEnvelope({ event: 'ping', data: '{"data":{}}' })?.data).toEqual({});
  });

  it.each([
    '',
    'text',
    '1',
    'null',
    '[]',
    '{}',
    '{"data":null}',
    '{"data":[]}',
    '{"data":"x"}',
    '{"data":{}',
    '"\\ud800"',
  ])('finds no envelope in %j', (text) => {
    expect(decodeEnvelope({ id: '1', event: 'a', data: text })).toBeUndefined();
  });

  it('finds no envelope where nothing names the event', () => {
    expect(decodeEnvelope({ id: '1', data: '{"data":{"a":1}}' })).toBeUndefined();
  });
});
