import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnInterrupt, dependsOnPrivateData, dependsOnTool } from '../../src/decorators/depends-on.js';
import { dependsOnAwaitFor, requiresProducerReference } from '../../src/decorators/order.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { startAgent } from '../agent-setup.js';
import { batching, tool } from './scripted-calls.js';

/** Calls tools by name, one after another, and finishes with their results. */
const calling =
  (...names: string[]) =>
  async (session: ScriptedSession): Promise<void> => {
    const result: unknown[] = [];
    for (const name of names) result.push(await session.callTool(name));
    session.finish({ result });
  };

describe('producers', () => {
  it('run once each before their consumer if the planner did not call them', async () => {
    await using setup = await startAgent(calling('c'));
    const { agent } = setup;
    const trace: string[] = [];
    const a = agent.toolify(tool('a'), () => void trace.push('a'));
    const b = agent.toolify({ ...tool('b'), inject: { a: dependsOnTool(a) } }, () => void trace.push('b'));
    agent.toolify(
      { ...tool('c'), inject: { a: dependsOnTool(a), b: dependsOnTool(b) } },
      () => void trace.push('c'),
    );
    await agent.invoke('x');
    expect(trace).toEqual(['a', 'b', 'c']);
  });

  it('run in parallel if they are independent, and only once if shared', async () => {
    await using setup = await startAgent(calling('d'));
    const { agent } = setup;
    let running = 0;
    let most = 0;
    let runsOfA = 0;
    const slowly = async () => {
      running += 1;
      most = Math.max(most, running);
      await wait(5);
      running -= 1;
    };
    const a = agent.toolify(tool('a'), () => (runsOfA += 1));
    const b = agent.toolify({ ...tool('b'), inject: { a: dependsOnTool(a) } }, slowly);
    const c = agent.toolify({ ...tool('c'), inject: { a: dependsOnTool(a) } }, slowly);
    agent.toolify({ ...tool('d'), inject: { b: dependsOnTool(b), c: dependsOnTool(c) } }, () => null);
    await agent.invoke('x');
    expect([runsOfA, most]).toEqual([1, 2]);
  });

  it('that fail make their consumers fail, but no other call', async () => {
    await using setup = await startAgent(batching('a', 'c', 'x'));
    const { agent } = setup;
    let hasRun = false;
    const a = agent.toolify(tool('a'), () => {
      throw new Error('a broke');
    });
    agent.toolify({ ...tool('c'), inject: { a: dependsOnTool(a) } }, () => (hasRun = true));
    agent.toolify(tool('x'), () => 'fine');
    const { result } = await agent.invoke('x');
    expect(result).toMatchObject([
      { error: { code: 'TOOL_FAILED', message: 'a broke' } },
      {
        error: {
          code: 'DEPENDENCY_FAILED',
          message: expect.stringContaining("'a'"),
          details: { producer: 'a', producer_code: 'TOOL_FAILED' },
        },
      },
      'fine',
    ]);
    expect(hasRun).toBe(false);
  });

  it('in the same batch are awaited even if listed after their consumer', async () => {
    await using setup = await startAgent(batching('consumer', { name: 'producer', args: { n: 1 } }));
    const { agent } = setup;
    const producer = agent.toolify(
      { ...tool('producer'), input: z.object({ n: z.number() }) },
      async ({ n }) => {
        await wait(5);
        return n + 1;
      },
    );
    agent.toolify({ ...tool('consumer'), inject: { n: dependsOnTool(producer) } }, ({ n }) => n * 10);
    expect((await agent.invoke('x')).result).toEqual([20, 2]);
  });

  it('provide their latest result', async () => {
    await using setup = await startAgent(calling('count', 'count', 'show'));
    const { agent } = setup;
    let count = 0;
    const counter = agent.toolify(tool('count'), () => (count += 1));
    agent.toolify({ ...tool('show'), inject: { n: dependsOnTool(counter) } }, ({ n }) => n);
    expect((await agent.invoke('x')).result).toMatchObject([{ result: 1 }, { result: 2 }, { result: 2 }]);
  });

  it('that need arguments and were not called make the consumer fail as retryable', async () => {
    await using setup = await startAgent(calling('show'));
    const { agent } = setup;
    const fetchOrder = agent.toolify(
      { ...tool('fetch_order'), input: z.object({ id: z.string() }) },
      ({ id }) => id,
    );
    agent.toolify({ ...tool('show'), inject: { order: dependsOnTool(fetchOrder) } }, ({ order }) => order);
    expect((await agent.invoke('x')).result).toMatchObject([
      {
        status: 'error',
        error: {
          code: 'DEPENDENCY_NOT_COMPLETED',
          message: expect.stringContaining('fetch_order'),
          retryable: true,
        },
      },
    ]);
  });

  it('that hang time out after dependencyTimeoutMs', async () => {
    await using setup = await startAgent(calling('show'), { dependencyTimeoutMs: 20 });
    const { agent } = setup;
    const hang = agent.toolify(tool('hang'), async () => new Promise<never>(() => {}));
    agent.toolify({ ...tool('show'), inject: { it: dependsOnTool(hang) } }, () => null);
    expect((await agent.invoke('x')).result).toMatchObject([
      { error: { code: 'DEPENDENCY_TIMEOUT', details: { producer: 'hang', timeout_ms: 20 } } },
    ]);
  });

  it('pass on the value they returned, not its serialized form', async () => {
    await using setup = await startAgent(calling('show'));
    const { agent } = setup;
    const when = agent.toolify(tool('when'), () => new Date(0));
    agent.toolify({ ...tool('show'), inject: { when: dependsOnTool(when) } }, ({ when: date }) =>
      date.getTime(),
    );
    expect((await agent.invoke('x')).result).toMatchObject([{ result: 0 }]);
  });
});

it('a call resolves dependencies, validates its input, then runs the tool between its hooks', async () => {
  await using setup = await startAgent(calling('t'), { privateData: { key: 'a-private-value' } });
  const { agent } = setup;
  const trace: string[] = [];
  const producer = agent.toolify(tool('producer'), () => void trace.push('tool'));
  agent.toolify(
    {
      ...tool('t'),
      input: z.object({ q: z.string().default('x') }).refine(() => trace.push('validate')),
      inject: {
        result: dependsOnTool(producer),
        answer: dependsOnInterrupt({ prompt: '?', handler: () => (trace.push('interrupt'), 'yes') }),
        key: dependsOnPrivateData({ key: 'key', schema: z.string().refine(() => trace.push('private')) }),
      },
      beforeExecute: () => trace.push('before'),
      afterExecute: () => trace.push('after'),
    },
    () => void trace.push('run'),
  );
  await agent.invoke('x');
  expect(trace).toEqual(['private', 'interrupt', 'tool', 'validate', 'before', 'run', 'after']);
});

describe('a run with invalid dependencies', () => {
  it('fails before any request, naming the path of a cycle', async () => {
    await using setup = await startAgent(() => {});
    const { agent, orchestrator } = setup;
    agent.toolify({ ...tool('a'), inject: { b: dependsOnTool('b') } }, () => null);
    agent.toolify({ ...tool('b'), order: [dependsOnAwaitFor('a')] }, () => null);
    await expect(agent.invoke('x')).rejects.toMatchObject({
      code: 'DEPENDENCY_CYCLE',
      message: expect.stringContaining('a → b → a'),
    });
    expect(orchestrator.requests).toEqual([]);
  });

  it('names only the tools in a cycle, even one closed by a required reference', async () => {
    await using setup = await startAgent(() => {});
    const { agent } = setup;
    agent.toolify({ ...tool('start'), inject: { a: dependsOnTool('a') } }, () => null);
    agent.toolify({ ...tool('a'), inject: { b: dependsOnTool('b') } }, () => null);
    const order = [requiresProducerReference({ argumentPath: 'id', producer: 'a' })];
    agent.toolify({ ...tool('b'), input: z.object({ id: z.string() }), order }, () => null);
    await expect(agent.invoke('x')).rejects.toMatchObject({
      code: 'DEPENDENCY_CYCLE',
      details: { path: 'a → b → a' },
    });
  });

  it('fails with the name of an unknown producer of a required reference', async () => {
    await using setup = await startAgent(() => {});
    const { agent } = setup;
    const order = [requiresProducerReference({ argumentPath: 'id', producer: 'nope' })];
    agent.toolify({ ...tool('a'), input: z.object({ id: z.string() }), order }, () => null);
    await expect(agent.invoke('x')).rejects.toMatchObject({
      code: 'DEPENDENCY_UNKNOWN',
      details: { consumer: 'a', reference: 'nope' },
    });
  });

  it('fails before any request, naming the consumer of an unknown tool', async () => {
    await using setup = await startAgent(() => {});
    const { agent, orchestrator } = setup;
    agent.toolify({ ...tool('a'), inject: { b: dependsOnTool('nope') } }, () => null);
    await expect(agent.invoke('x')).rejects.toMatchObject({
      code: 'DEPENDENCY_UNKNOWN',
      details: { consumer: 'a', reference: 'nope' },
    });
    expect(orchestrator.requests).toEqual([]);
  });
});
