import { expect, it } from 'vitest';
import { hasTooManyValues, MAX_VALUES } from '../../src/mcp/value-limit.js';

const many = Array(MAX_VALUES).fill(1);
const content = new Set(['arguments']);

it.each<[string, unknown]>([
  ['in a list', { method: 'm', params: { clientInfo: { icons: many } } }],
  [
    'in metadata of the protocol',
    { id: 1, result: { _meta: { 'io.modelcontextprotocol/serverInfo': { icons: many } } } },
  ],
  ['in invalid metadata', { id: 1, result: { _meta: many } }],
  ['in an object', { id: 1, result: { serverInfo: Object.fromEntries(many.map((_, at) => [at, 1])) } }],
  [
    'spread over many objects',
    { id: 1, result: { icons: Array.from({ length: MAX_VALUES / 2 }, () => ({ src: 1 })) } },
  ],
  ['in the error of a response', { id: 1, error: { cause: many } }],
  ['below a field of content that is not in its place', { id: 1, arguments: many }],
  ['in a field of content that is deeper', { id: 1, params: { clientInfo: { arguments: many } } }],
  [
    'spread over a batch',
    Array.from({ length: 100 }, () => ({ method: 'm', params: { _meta: many.slice(0, 100) } })),
  ],
  ['as messages of a batch', [...many, 1]],
])('too many values are noticed %s', (_where, json) => {
  expect(hasTooManyValues(json, content)).toBe(true);
});

it.each<[string, unknown]>([
  ['as content', { id: 1, method: 'tools/call', params: { name: 'add', arguments: { values: many } } }],
  ['as content of an error', { id: 1, error: { arguments: many } }],
  ['in other metadata', { id: 1, result: { _meta: { 'example/widget': many } } }],
  ['as content of a batch', [{ params: { arguments: many } }, { result: { arguments: many } }]],
])('any number of values may stand %s', (_where, json) => {
  expect(hasTooManyValues(json, content)).toBe(false);
});

it.each([[null], ['text'], [1], [[]], [{ params: null, result: 'text' }], [[null, 'text']]])(
  '%j has few values',
  (json) => {
    expect(hasTooManyValues(json, content)).toBe(false);
  },
);
