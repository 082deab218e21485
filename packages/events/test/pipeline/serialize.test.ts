import { expect, it } from 'vitest';
import { dataTextOf } from '../../src/pipeline/serialize.js';

const result = { rows: [1] };
const proto = JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>;

it.each<[string, Record<string, unknown>]>([
  ['what stands twice', { result, args: {}, tool: { id: 't', result } }],
  ['what is equal and not the same', { result, tool: { id: 't', result: { rows: [1] } } }],
  ['a field of that name beside it', { ...proto, result, tool: { id: 't', result } }],
  ['a field of that name in the descriptor', { result, tool: { ...proto, result } }],
])('the text of data has all of it: %s', (_, data) => {
  expect(JSON.parse(dataTextOf('tool_event', data))).toEqual(JSON.parse(JSON.stringify(data)));
});
