import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { ToolInput } from '../../src/agents/scope-options.js';
import { toolify } from '../../src/decorators/toolify.js';
import { ToolOverride } from '../../src/tools/declaration/tool-override.js';
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

describe('a tool source', () => {
  it('is listed when a run needs its tools, and closed with its agent', async () => {
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

  it('that fails makes the run fail with its error', async () => {
    const { source } = sourceTwin();
    await using setup = await startAgent(() => {});
    setup.agent.addTool({ ...source, listTools: async () => Promise.reject(new Error('server is down')) });
    await expect(setup.agent.invoke('x')).rejects.toThrow('server is down');
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it.each([[undefined], [{}], [[5]], [Object.assign([], { length: 1 })], [[{ name: 'find' }]]])(
    'that lists invalid tools is named in the error: %j',
    async (brought) => {
      const { source } = sourceTwin();
      await using setup = await startAgent(() => {});
      setup.agent.addTool({ ...source, listTools: async () => brought as never });
      await expect(setup.agent.invoke('x')).rejects.toMatchObject({
        code: 'TOOL_INVALID',
        message: expect.stringContaining("'twin'"),
      });
      expect(setup.orchestrator.requests).toEqual([]);
    },
  );

  it('that does not answer does not keep a run from timing out', async () => {
    const { source } = sourceTwin();
    await using setup = await startAgent(() => {});
    setup.agent.addTool({ ...source, listTools: async () => new Promise(() => {}) });
    await expect(setup.agent.invoke('x', { timeoutMs: 10 })).rejects.toMatchObject({ code: 'RUN_TIMEOUT' });
  });

  it('must have a unique name in its scope', async () => {
    const { source, trace } = sourceTwin();
    await using setup = await startAgent(() => {});
    setup.agent.addTool(source);
    for (const second of [source, sourceTwin().source])
      expect(() => setup.agent.addTool(second)).toThrow(
        expect.objectContaining({ code: 'TOOL_DUPLICATE_NAME', message: expect.stringContaining("'twin'") }),
      );
    await setup.agent.close();
    expect(trace).toEqual(['close']);
  });

  it('is closed before its agent is, even if another one cannot be closed', async () => {
    const { source, trace } = sourceTwin();
    const closing = Promise.withResolvers<void>();
    await using setup = await startAgent(() => {});
    const stuck = vi.fn().mockRejectedValueOnce(new Error('stuck'));
    setup.agent.addTool({ ...source, name: 'broken', close: stuck });
    setup.agent.addTool({ ...source, close: async () => closing.promise.then(source.close) });
    const closed = setup.agent.close().finally(() => trace.push('agent'));
    setImmediate(closing.resolve);
    await expect(closed).rejects.toThrow('stuck');
    expect(trace).toEqual(['close', 'agent']);
  });

  it('cannot list a tool whose name is taken', async () => {
    const { source } = sourceTwin();
    await using setup = await startAgent(() => {});
    setup.agent.addTool(source).toolify({ name: 'brought', description: 'own' }, () => 1);
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'TOOL_DUPLICATE_NAME' });
  });
});

describe('the second argument of addTool', () => {
  const find = toolify({ name: 'find', description: 'Find' }, () => 1);

  it.each<[string, ToolInput]>([
    ['a tool', find],
    ['a source', sourceTwin().source],
  ])('is refused for %s if it would have no effect', async (_name, tool) => {
    await using setup = await startAgent(() => {});
    const change = tool === find ? { name: 'search' } : new ToolOverride({ name: 'search' });
    expect(() => setup.agent.addTool(tool, change as never)).toThrow(
      expect.objectContaining({ code: 'TOOL_INVALID', message: expect.stringContaining('ToolOverride') }),
    );
    expect(setup.agent.addTool(tool, null as never).listTools()).toHaveLength(tool === find ? 1 : 0);
  });

  it('can name a schema that has no name of its own', async () => {
    await using setup = await startAgent(() => {});
    const change = new ToolOverride({ name: 'Invoice', description: 'An invoice', tags: ['x'] });
    setup.agent.addTool(z.object({ total: z.number() }), change);
    expect(setup.agent.getTool('Invoice')).toMatchObject({ description: 'An invoice', tags: ['x'] });
  });
});

it.each([[null], [7], ['tool'], [{}], [() => 1]])('addTool refuses %j', async (value) => {
  await using setup = await startAgent(() => {});
  expect(() => setup.agent.addTool(value as never)).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID' }),
  );
});
