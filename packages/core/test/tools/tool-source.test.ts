import { describe, expect, it } from 'vitest';
import { toolify } from '../../src/decorators/toolify.js';
import type { ToolSource } from '../../src/tools/tool-source.js';
import { startAgent } from '../agent-setup.js';

function sourceTwin() {
  const trace: string[] = [];
  const source: ToolSource = {
    name: 'twin',
    async listTools({ signal }) {
      signal.throwIfAborted();
      trace.push('list');
      return [toolify({ name: 'brought', description: 'b' }, () => 'from afar')];
    },
    async close() {
      trace.push('close');
    },
  };
  return { source, trace };
}

describe('a source of tools', () => {
  it('is asked when a run needs its tools, and closed with its agent', async () => {
    const { source, trace } = sourceTwin();
    await using setup = await startAgent(async (session) =>
      session.finish({ result: await session.callTool('brought') }),
    );
    setup.agent.addTool(source);
    expect([setup.agent.listTools(), trace]).toEqual([[], []]);
    expect((await setup.agent.invoke('x')).result).toMatchObject({ result: 'from afar' });
    await setup.agent.close();
    expect(trace).toEqual(['list', 'close']);
  });

  it('that fails fails the run with its error', async () => {
    const { source } = sourceTwin();
    await using setup = await startAgent(() => {});
    setup.agent.addTool({ ...source, listTools: async () => Promise.reject(new Error('server is down')) });
    await expect(setup.agent.invoke('x')).rejects.toThrow('server is down');
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('that does not answer does not keep a run from ending', async () => {
    const { source } = sourceTwin();
    await using setup = await startAgent(() => {});
    setup.agent.addTool({ ...source, listTools: async () => new Promise(() => {}) });
    await expect(setup.agent.invoke('x', { timeoutMs: 10 })).rejects.toMatchObject({ code: 'RUN_TIMEOUT' });
  });

  it('brings no second tool of a name', async () => {
    const { source } = sourceTwin();
    await using setup = await startAgent(() => {});
    setup.agent.addTool(source).toolify({ name: 'brought', description: 'own' }, () => 1);
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'TOOL_DUPLICATE_NAME' });
  });
});

it.each([[null], [7], ['tool'], [{}], [() => 1]])('addTool refuses %j', async (value) => {
  await using setup = await startAgent(() => {});
  expect(() => setup.agent.addTool(value as never)).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID' }),
  );
});
