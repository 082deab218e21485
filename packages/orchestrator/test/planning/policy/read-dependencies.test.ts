import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { privateValue, resultOf, toolsOf } from '../plan-fixtures.js';

/** The tool that takes `x`, beside one whose result it may take. */
function takerOf(x: JsonObject) {
  const [, taker] = toolsOf({ name: 'load' }, { name: 'take', properties: { x }, required: ['x'] });
  return taker;
}

it('an argument that is another tool’s result is needed, and one that may hold it is not', () => {
  expect(takerOf(resultOf('load'))?.dependencies).toMatchObject([{ type: 'tool', required: true }]);
  const list = { type: 'array', items: resultOf('load') };
  expect(takerOf(list)?.dependencies).toMatchObject([{ type: 'tool', required: false }]);
});

it.each<[string, JsonObject, string[]]>([
  ['a result', resultOf('load'), []],
  ['results in a list', { type: 'array', items: resultOf('load') }, []],
  ['a private value', privateValue('card'), []],
  ['private values in a list', { type: 'array', items: privateValue('card') }, ['x']],
  ['an answer of a person', { type: 'interrupt_dependency', prompt: 'Sure?' }, []],
])('%s: what the planner fills of the argument', (_, schema, filled) => {
  expect(Object.keys(takerOf(schema)?.parameters.properties ?? {})).toEqual(filled);
});

it('a private value without a key is called like the argument it names', () => {
  expect(takerOf({ type: 'data_dependency', arg_name: 'card' })?.dependencies).toMatchObject([
    { type: 'private_data', data_key: 'card', arg_name: 'x' },
  ]);
});

it('a result is looked for by the id of its tool, then by its name', () => {
  const named = { ...resultOf('load'), tool_id: 'gone' };
  expect(takerOf(named)?.dependencies).toMatchObject([{ tool_id: 't-load' }]);
  const rules = { await_for: [{ tool_id: 'gone', tool_name: 'load' }] };
  const [, after] = toolsOf({ name: 'load' }, { name: 'take', metadata: { execution_controls: rules } });
  expect(after?.dependencies).toMatchObject([{ type: 'await_for', tool_id: 't-load' }]);
});
