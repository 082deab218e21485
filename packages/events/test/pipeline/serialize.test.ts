import { expect, it, vi } from 'vitest';
import { dataTextOf, frameOf } from '../../src/pipeline/serialize.js';

const result = { rows: [1] };
const proto = JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>;

it.each<[string, Record<string, unknown>]>([
  ['an object contained twice', { result, args: {}, tool: { id: 't', result } }],
  ['an equal but separate object', { result, tool: { id: 't', result: { rows: [1] } } }],
  ['an object contained twice, and nothing else', { result, tool: { result } }],
  [
    'an object contained twice beside absent fields',
    { id: undefined, result, tool: { id: undefined, result } },
  ],
  ['an own __proto__ field in the data', { ...proto, result, tool: { id: 't', result } }],
  ['an own __proto__ field in the descriptor', { result, tool: { ...proto, result } }],
])('serializes data completely: %s', (_, data) => {
  expect(JSON.parse(dataTextOf('tool_event', data))).toEqual(JSON.parse(JSON.stringify(data)));
});

it.each([
  ['tool_event', 'tool', 'args'],
  ['tool_event', 'tool', 'result'],
  ['system_tool_complete', 'tool', 'result'],
  ['agent_assignment', 'assignment', 'result'],
  ['final', 'output', 'result'],
])('serializes a value that %s contains twice only once: %s.%s', (type, descriptor, field) => {
  const toJSON = vi.fn(() => 'large');
  const large = { toJSON };
  const both = dataTextOf(type, { id: 1, [field]: large, [descriptor]: { id: 2, [field]: large } });
  expect(both).toBe(`{"id":1,"${field}":"large","${descriptor}":{"id":2,"${field}":"large"}}`);
  expect(toJSON).toHaveBeenCalledOnce();
});

it.each(['final', 'say "hi"', 'C:\\new'])('a frame named %s has its envelope as one line of JSON', (type) => {
  const frame = frameOf({ epoch: 'e', seq: 7, type, timestamp: '2026-01-01T00:00:00.000Z' }, '{"a":1}');
  const [id, event, data = '', ...end] = frame.split('\n');
  expect([id, event, end]).toEqual(['id: e-7', `event: ${type}`, ['', '']]);
  expect(JSON.parse(data.replace(/^data: /, ''))).toEqual({
    id: 'e-7',
    type,
    timestamp: '2026-01-01T00:00:00.000Z',
    data: { a: 1 },
  });
});
