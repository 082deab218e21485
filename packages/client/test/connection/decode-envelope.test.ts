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
    [
      'the id of the envelope if the frame has none',
      { event: 'a', data: { id: '2', type: 'a', data } },
      ['2', 'a', ''],
    ],
    [
      'the type of the envelope if the frame has no event name',
      { id: '1', data: { type: 'b', data } },
      ['1', 'b', ''],
    ],
    [
      'the id and event name of the frame if both have them',
      { id: '1', event: 'a', data: { id: '9', type: 'b', data } },
      ['1', 'a', ''],
    ],
    [
      'an id and timestamp of the wrong type as empty',
      { event: 'a', data: { id: 7, timestamp: {}, data } },
      ['', 'a', ''],
    ],
  ])('reads %s', (_, frame, [id, type, timestamp]) => {
    expect(decodeEnvelope({ ...frame, data: JSON.stringify(frame.data) })).toEqual({
      id,
      type,
      timestamp,
      data,
    });
  });

  it('reads an event without content', () => {
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

  it('finds no envelope if there is no event name', () => {
    expect(decodeEnvelope({ id: '1', data: '{"data":{"a":1}}' })).toBeUndefined();
  });
});
