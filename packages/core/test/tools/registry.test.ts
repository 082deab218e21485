import { expect, it } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import { toolify } from '../../src/decorators/toolify.js';
import { toolset } from '../../src/decorators/toolset.js';
import { ToolOverride } from '../../src/tools/tool-override.js';

@toolset({ prefix: 'desk' })
class Desk {
  @toolify({ description: 'Audit' })
  audit() {}

  @toolify({ description: 'Fetch' })
  fetch() {}
}

it('a toolset of which a name is taken is not added in part', () => {
  const agent = new Agent({ name: 'clerk', apiKey: 'k' });
  agent.toolify({ name: 'DESK_fetch', description: 'Fetch' }, () => 1);
  expect(() => agent.addToolset(new Desk())).toThrow(
    expect.objectContaining({ code: 'TOOL_DUPLICATE_NAME' }),
  );
  expect(agent.listTools().map(({ name }) => name)).toEqual(['DESK_fetch']);
  const overrides = { fetch: new ToolOverride({ name: 'desk_fetch' }) };
  agent.addToolset(new Desk(), { overrides });
  expect(agent.listTools().map(({ name }) => name)).toEqual(['DESK_fetch', 'DESK_audit', 'desk_fetch']);
});

it('two methods of a toolset do not take one name', () => {
  const agent = new Agent({ name: 'clerk', apiKey: 'k' });
  const overrides = { fetch: new ToolOverride({ name: 'DESK_audit' }) };
  expect(() => agent.addToolset(new Desk(), { overrides })).toThrow(
    expect.objectContaining({ code: 'TOOL_DUPLICATE_NAME' }),
  );
  expect(agent.listTools()).toEqual([]);
});

it('a method that only a symbol names cannot be a tool', () => {
  const declare = () => {
    class Hidden {
      @toolify({ description: 'Audit' })
      [Symbol('audit')]() {}
    }
    return Hidden;
  };
  expect(declare).toThrow(/got an unnamed member 'Symbol\(audit\)'/);
});

it('a listener that is given twice is told twice, until each of them is taken off', () => {
  const agent = new Agent({ name: 'clerk', apiKey: 'k' });
  let told = 0;
  const listener = () => void (told += 1);
  const [stopOne, stopOther] = [agent.onToolsAdded(listener), agent.onToolsAdded(listener)];
  agent.addToolset(new Desk());
  expect(told).toBe(2);
  stopOne();
  agent.toolify({ name: 'one_more', description: 'Fetch' }, () => 1);
  expect(told).toBe(3);
  stopOther();
  agent.toolify({ name: 'another', description: 'Fetch' }, () => 1);
  expect(told).toBe(3);
});

it('a listener is a function', () => {
  const agent = new Agent({ name: 'clerk', apiKey: 'k' });
  expect(() => agent.onToolsAdded(5 as never)).toThrow(
    'onToolsAdded: listener must be a function, got number.',
  );
});
