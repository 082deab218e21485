import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { privateValue, resultOf, toolsOf } from '../plan-fixtures.js';

/** A tool with the argument `x`, next to a tool whose result it may take. */
function takerOf(x: JsonObject) {
  const [, taker] = toolsOf({ name: 'load' }, { name: 'take', properties: { x }, required: ['x'] });
  return taker;
}

it('requires a result that is an argument, but not one that may be inside an argument', () => {
  expect(takerOf(resultOf('load'))?.dependencies).toMatchObject([{ type: 'tool', required: true }]);
  const list = { type: 'array', items: resultOf('load') };
  expect(takerOf(list)?.dependencies).toMatchObject([{ type: 'tool', required: false }]);
});

it.each<[string, JsonObject, string[]]>([
  ['a result', resultOf('load'), []],
  ['results in a list', { type: 'array', items: resultOf('load') }, []],
  ['a private value', privateValue('card'), []],
  ['private values in a list', { type: 'array', items: privateValue('card') }, ['x']],
  ['an answer of the user', { type: 'interrupt_dependency', prompt: 'Sure?' }, []],
])('decides whether the planner fills an argument for %s', (_, schema, filled) => {
  expect(Object.keys(takerOf(schema)?.parameters.properties ?? {})).toEqual(filled);
});

it('uses the arg_name of a private value as its key if it has none', () => {
  expect(takerOf({ type: 'data_dependency', arg_name: 'card' })?.dependencies).toMatchObject([
    { type: 'private_data', data_key: 'card', arg_name: 'x' },
  ]);
});

it('finds the tool of a dependency by id, then by name', () => {
  const named = { ...resultOf('load'), tool_id: 'gone' };
  expect(takerOf(named)?.dependencies).toMatchObject([{ tool_id: 't-load' }]);
  const rules = { await_for: [{ tool_id: 'gone', tool_name: 'load' }] };
  const [, after] = toolsOf({ name: 'load' }, { name: 'take', metadata: { execution_controls: rules } });
  expect(after?.dependencies).toMatchObject([{ type: 'await_for', tool_id: 't-load' }]);
});
