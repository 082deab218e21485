import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { RunOptions } from '../../src/invocation/run-options.js';
import { dependsOnTool } from '../../src/decorators/depends-on.js';
import { requiresProducerReference } from '../../src/decorators/order.js';
import { toolify } from '../../src/decorators/toolify.js';
import { toolset } from '../../src/decorators/toolset.js';
import { startAgent } from '../agent-setup.js';
import { ToolOverride } from '../../src/tools/declaration/tool-override.js';

@toolset
class Desk {
  @toolify({ description: 'Write an audit line' })
  audit() {}
}

describe('targeted tools', () => {
  async function target(targetedTools: readonly string[], more: RunOptions = {}) {
    await using setup = await startAgent((session) => session.finish());
    const { agent } = setup;
    const a = agent.toolify({ name: 'a', description: 'a' }, () => 1);
    const b = agent.toolify({ name: 'b', description: 'b', inject: { a: dependsOnTool(a) } }, () => 1);
    agent.toolify({ name: 'c', description: 'c', finalTool: true, inject: { b: dependsOnTool(b) } }, () => 1);
    agent.toolify({ name: 'd', description: 'd' }, () => 1);
    await agent.invoke('x', { targetedTools, ...more });
    const [body] = setup.bodies('/start-session');
    return Object(body).state.targeted_tools;
  }

  it('include the tools they depend on', async () => {
    expect(await target(['c'])).toEqual(['a', 'b', 'c']);
  });

  it('include the producers of the references they require', async () => {
    await using setup = await startAgent((session) => session.finish());
    const order = [requiresProducerReference({ argumentPath: 'id', producer: 'search' })];
    const input = z.object({ id: z.string() });
    setup.agent.toolify({ name: 'cite', description: 'c', input, order }, () => 1);
    for (const name of ['search', 'other']) setup.agent.toolify({ name, description: name }, () => 1);
    await setup.agent.invoke('x', { targetedTools: ['cite'] });
    expect(setup.bodies('/start-session')).toMatchObject([{ state: { targeted_tools: ['cite', 'search'] } }]);
  });

  it('can be given as a tool or a method registered under another name', async () => {
    await using setup = await startAgent((session) => session.finish());
    const { agent } = setup;
    const find = toolify({ name: 'find', description: 'f' }, () => 1);
    agent.addTool(find, new ToolOverride({ name: 'search' })).addToolset(new Desk());
    await agent.invoke('x', { targetedTools: [find, Desk.prototype.audit] });
    const [body] = setup.bodies('/start-session');
    expect(Object(body).state.targeted_tools).toEqual(['search', 'DESK_audit']);
  });

  it.each<[string, readonly string[], RunOptions, RegExp]>([
    ['an empty list', [], {}, /at least one/],
    ['an unknown name', ['zzz'], {}, /zzz.*Known tools: a, b, c, d/],
    ['with a forced final tool', ['c'], { forceFinalTool: true }, /forceFinalTool/],
  ])('are refused: %s', async (_name, names, more, message) => {
    await expect(target(names, more)).rejects.toMatchObject({
      code: 'CONFIG_TARGETED_TOOLS',
      message: expect.stringMatching(message),
    });
  });
});

describe('the final tool', () => {
  it('may not be declared twice', async () => {
    await using setup = await startAgent((session) => session.finish());
    for (const name of ['a', 'b']) setup.agent.toolify({ name, description: name, finalTool: true }, () => 1);
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      code: 'CONFIG_FINAL_TOOL',
      details: { tools: ['a', 'b'] },
    });
  });

  it('cannot be forced if the scope has none', async () => {
    await using setup = await startAgent((session) => session.finish());
    await expect(setup.agent.invoke('x', { forceFinalTool: true })).rejects.toMatchObject({
      code: 'CONFIG_FINAL_TOOL',
    });
  });
});

describe('a structured run', () => {
  const Invoice = z.object({ total: z.number() }).meta({ id: 'Invoice', description: 'An invoice' });

  it('forces the schema as the only final tool and returns a typed result', async () => {
    await using setup = await startAgent((session) => session.finish({ result: { total: 3 } }));
    setup.agent.toolify({ name: 'other', description: 'o', finalTool: true }, () => 1);
    const { result } = await setup.agent.structuredOutput(Invoice).invoke('x');
    expect(result.total).toBe(3);
    const [body] = setup.bodies('/start-session');
    expect(body).toMatchObject({
      state: {
        force_final_tool: true,
        structured_output_config: { enabled: true, model: 'Invoice' },
        tools: [
          { name: 'other', final_tool: false },
          { name: 'Invoice', final_tool: true, tool_type: 'model', args_schema: { required: ['total'] } },
        ],
      },
    });
  });

  it('uses the tool already registered for the schema', async () => {
    await using setup = await startAgent((session) => session.finish({ result: { total: 3 } }));
    setup.agent.addTool(Invoice, { name: 'my_invoice' });
    await setup.agent.structuredOutput(Invoice).stream('x').response;
    const [body] = setup.bodies('/start-session');
    expect(Object(body).state.tools.map(({ name }: { name: string }) => name)).toEqual(['my_invoice']);
  });

  it('rejects a result of another shape and names the invalid paths', async () => {
    await using setup = await startAgent((session) => session.finish({ result: { total: 'three' } }));
    await expect(setup.agent.structuredOutput(Invoice).invoke('x')).rejects.toMatchObject({
      name: 'RunFailedError',
      code: 'RUN_RESULT_INVALID',
      details: { issues: [{ path: 'total', problem: 'expected number' }] },
    });
  });

  it('says that there is no result if the planner found none that the schema accepts', async () => {
    const text = 'The total is too small.';
    await using setup = await startAgent((session) => session.finish({ responses: [text] }));
    await expect(setup.agent.structuredOutput(Invoice).invoke('x')).rejects.toMatchObject({
      code: 'RUN_RESULT_INVALID',
      message: 'The run ended without a result for the schema. Its response may say why.',
      response: { response: text },
    });
  });

  it('validates the planner’s arguments in this process', async () => {
    await using setup = await startAgent(async (session) => {
      const bad = await session.callTool('Invoice', { total: 'x' });
      const good = await session.callTool('Invoice', { total: 4 });
      session.finish({ result: good.status === 'ok' ? good.result : bad });
    });
    expect((await setup.agent.structuredOutput(Invoice).invoke('x')).result).toEqual({ total: 4 });
  });
});
