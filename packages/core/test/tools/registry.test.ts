import { expect, it, onTestFinished, vi } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import { toolify } from '../../src/decorators/toolify.js';
import { toolset } from '../../src/decorators/toolset.js';
import { ToolOverride } from '../../src/tools/declaration/tool-override.js';

@toolset({ prefix: 'desk' })
class Desk {
  @toolify({ description: 'Audit' })
  audit() {}

  @toolify({ description: 'Fetch' })
  fetch() {}
}

it('a toolset is refused as a whole if the name of one of its tools is taken', () => {
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

it('two methods of a toolset cannot have the same name', () => {
  const agent = new Agent({ name: 'clerk', apiKey: 'k' });
  const overrides = { fetch: new ToolOverride({ name: 'DESK_audit' }) };
  expect(() => agent.addToolset(new Desk(), { overrides })).toThrow(
    expect.objectContaining({ code: 'TOOL_DUPLICATE_NAME' }),
  );
  expect(agent.listTools()).toEqual([]);
});

it('a method named by a symbol cannot be a tool', () => {
  const declare = () => {
    class Hidden {
      @toolify({ description: 'Audit' })
      [Symbol('audit')]() {}
    }
    return Hidden;
  };
  expect(declare).toThrow(/got an unnamed member 'Symbol\(audit\)'/);
});

it('a listener registered twice is called twice until each registration is removed', () => {
  const agent = new Agent({ name: 'clerk', apiKey: 'k' });
  let calls = 0;
  const listener = () => void (calls += 1);
  const [stopOne, stopOther] = [agent.onToolsAdded(listener), agent.onToolsAdded(listener)];
  agent.addToolset(new Desk());
  expect(calls).toBe(2);
  stopOne();
  agent.toolify({ name: 'one_more', description: 'Fetch' }, () => 1);
  expect(calls).toBe(3);
  stopOther();
  agent.toolify({ name: 'another', description: 'Fetch' }, () => 1);
  expect(calls).toBe(3);
});

it('the error of a listener is reported as uncaught, and the other listeners are still called', () => {
  const reports: (() => void)[] = [];
  vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((report) => void reports.push(report));
  onTestFinished(() => void vi.restoreAllMocks());
  const agent = new Agent({ name: 'clerk', apiKey: 'k' });
  agent.onToolsAdded(() => {
    throw new Error('from a listener');
  });
  const last = vi.fn();
  agent.onToolsAdded(last);
  agent.addToolset(new Desk());
  expect(last).toHaveBeenCalledOnce();
  expect(reports).toHaveLength(1);
  expect(reports[0]).toThrow('from a listener');
});

it('onToolsAdded refuses a listener that is not a function', () => {
  const agent = new Agent({ name: 'clerk', apiKey: 'k' });
  expect(() => agent.onToolsAdded(5 as never)).toThrow(
    'onToolsAdded: listener must be a function, got number.',
  );
});
