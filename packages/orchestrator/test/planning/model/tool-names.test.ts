import { expect, it } from 'vitest';
import { ToolNames, validName } from '../../../src/planning/model/tool-names.js';
import { planContext, toolsOf } from '../plan-fixtures.js';

const tools = toolsOf(
  { name: 'My Agent' },
  { name: 'My-Agent' },
  { name: 'My Agent!' },
  { name: 'ask_person' },
  { name: 'toString' },
  { name: 'x'.repeat(90) },
);
const names = new ToolNames(planContext({ tools }));
const shown = tools.map((tool) => names.nameOf(tool.tool_id));

it('gives each tool a unique name that every provider accepts', () => {
  const expected = ['My_Agent', 'My-Agent', 'My_Agent_', 'ask_person_2', 'toString_'];
  expect(shown).toEqual([...expected, 'x'.repeat(64)]);
  for (const [index, name] of shown.entries()) expect(names.idOf(name)).toBe(tools[index]?.tool_id);
  expect(names.idOf('unknown')).toBe('unknown');
  expect(names.nameOf('one that is gone')).toBe('one_that_is_gone');
  expect(validName('')).toBe('_');
});

it('puts the names that the model knows into problems', () => {
  expect(names.inText('Call one of: "ask_person", "My Agent", "My-Agent"; "other" is not My Agent.')).toBe(
    'Call one of: "ask_person_2", "My_Agent", "My-Agent"; "other" is not My Agent.',
  );
});
