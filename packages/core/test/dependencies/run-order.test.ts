import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnInterrupt, dependsOnPrivateData, dependsOnTool } from '../../src/decorators/depends-on.js';
import {
  dependsOnAwaitFor,
  dependsOnReevaluate,
  requiresProducerReference,
} from '../../src/decorators/order.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { startAgent } from '../agent-setup.js';

/** Calls tools by name, one after the other, and ends with what came back. */
const calling =
  (...names: string[]) =>
  async (session: ScriptedSession): Promise<void> => {
    const result: unknown[] = [];
    for (const name of names) result.push(await session.callTool(name));
    session.finish({ result });
  };

/** Calls tools in one event. */
const batching =
  (...calls: (string | { name: string; args: Record<string, unknown> })[]) =>
  async (session: ScriptedSession): Promise<void> => {
    const given = calls.map((call) => (typeof call === 'string' ? { name: call } : call));
    session.finish({ result: await session.callTools(given) });
  };

const tool = (name: string) => ({ name, description: name });

describe('producers', () => {
  it('that the planner did not call run first, each once', async () => {
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

  it('that do not depend on one another run side by side, and a shared one runs once', async () => {
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

  it('that fail stop their consumers and nobody else', async () => {
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
          details: { producer: 'a' },
        },
      },
      'fine',
    ]);
    expect(hasRun).toBe(false);
  });

  it('in the same batch are waited for wherever they stand in it', async () => {
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

  it('give their latest result', async () => {
    await using setup = await startAgent(calling('count', 'count', 'show'));
    const { agent } = setup;
    let count = 0;
    const counter = agent.toolify(tool('count'), () => (count += 1));
    agent.toolify({ ...tool('show'), inject: { n: dependsOnTool(counter) } }, ({ n }) => n);
    expect((await agent.invoke('x')).result).toMatchObject([{ result: 1 }, { result: 2 }, { result: 2 }]);
  });

  it('that need arguments and were not called are asked for', async () => {
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

  it('that hang are given up after the time for dependencies', async () => {
    await using setup = await startAgent(calling('show'), { dependencyTimeoutMs: 20 });
    const { agent } = setup;
    const hang = agent.toolify(tool('hang'), async () => new Promise<never>(() => {}));
    agent.toolify({ ...tool('show'), inject: { it: dependsOnTool(hang) } }, () => null);
    expect((await agent.invoke('x')).result).toMatchObject([
      { error: { code: 'DEPENDENCY_TIMEOUT', details: { producer: 'hang', timeout_ms: 20 } } },
    ]);
  });

  it('hand over what they returned, not what was made of it for the wire', async () => {
    await using setup = await startAgent(calling('show'));
    const { agent } = setup;
    const when = agent.toolify(tool('when'), () => new Date(0));
    agent.toolify({ ...tool('show'), inject: { when: dependsOnTool(when) } }, ({ when: date }) =>
      date.getTime(),
    );
    expect((await agent.invoke('x')).result).toMatchObject([{ result: 0 }]);
  });
});

it('one call goes through its steps in order', async () => {
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

describe('an order between tools', () => {
  it('each: the n-th call waits for the n-th call of the other', async () => {
    const args = (n: number) => ({ n });
    await using setup = await startAgent(
      batching(
        { name: 'late', args: args(1) },
        { name: 'late', args: args(2) },
        { name: 'early', args: args(1) },
        { name: 'early', args: args(2) },
      ),
    );
    const { agent } = setup;
    const trace: string[] = [];
    const input = z.object({ n: z.number() });
    const early = agent.toolify({ ...tool('early'), input }, async ({ n }) => {
      await wait(n === 1 ? 20 : 1);
      trace.push(`early ${n}`);
    });
    agent.toolify(
      { ...tool('late'), input, order: [dependsOnAwaitFor(early)] },
      ({ n }) => void trace.push(`late ${n}`),
    );
    await agent.invoke('x');
    expect(trace).toEqual(['early 2', 'late 2', 'early 1', 'late 1']);
  });

  it('all: a call waits for every call of the other', async () => {
    await using setup = await startAgent(batching('late', 'early', 'early', 'early'));
    const { agent } = setup;
    const trace: string[] = [];
    const early = agent.toolify(tool('early'), async () => {
      await wait(trace.length + 1);
      trace.push('early');
    });
    agent.toolify(
      { ...tool('late'), order: [dependsOnAwaitFor(early, { instanceControl: 'all' })] },
      () => void trace.push('late'),
    );
    await agent.invoke('x');
    expect(trace).toEqual(['early', 'early', 'early', 'late']);
  });

  it('before: the other one waits for the declaring one, which may fail', async () => {
    await using setup = await startAgent(batching('second', 'first'));
    const { agent } = setup;
    const trace: string[] = [];
    agent.toolify(tool('second'), () => void trace.push('second'));
    agent.toolify(
      { ...tool('first'), order: [dependsOnAwaitFor('second', { timing: 'before' })] },
      async () => {
        await wait(5);
        trace.push('first');
        throw new Error('too bad');
      },
    );
    await agent.invoke('x');
    expect(trace).toEqual(['first', 'second']);
  });

  it('a boundary refuses a call that was planned before the results it is to be planned by', async () => {
    await using setup = await startAgent(async (session) => {
      const together = await session.callTools([{ name: 'look' }, { name: 'act' }]);
      const apart = await session.callTool('act');
      session.finish({ result: [together[1], apart] });
    });
    const { agent } = setup;
    const look = agent.toolify(tool('look'), () => 'seen');
    agent.toolify({ ...tool('act'), order: [dependsOnReevaluate(look)] }, () => 'done');
    expect((await agent.invoke('x')).result).toMatchObject([
      { error: { code: 'TOOL_REEVALUATE_FIRST', retryable: true, details: { producer: 'look' } } },
      { status: 'ok', result: 'done' },
    ]);
  });
});

describe('a required reference', () => {
  async function use(script: (session: ScriptedSession) => Promise<void>): Promise<unknown> {
    await using setup = await startAgent(script);
    const { agent } = setup;
    agent.toolify(tool('search'), () => ({ hits: [{ id: 'doc-7' }] }));
    agent.toolify(
      {
        ...tool('cite'),
        input: z.object({ source: z.object({ id: z.string() }) }),
        order: [requiresProducerReference({ argumentPath: 'source.id', producer: 'search' })],
      },
      () => 'cited',
    );
    return (await agent.invoke('x')).result;
  }

  it('that the producer returned is taken', async () => {
    const result = await use(async (session) => {
      await session.callTool('search');
      session.finish({ result: await session.callTool('cite', { source: { id: 'doc-7' } }) });
    });
    expect(result).toMatchObject({ status: 'ok' });
  });

  it('that was made up is refused', async () => {
    const result = await use(async (session) => {
      await session.callTool('search');
      session.finish({ result: await session.callTool('cite', { source: { id: 'doc-8' } }) });
    });
    expect(result).toMatchObject({
      status: 'error',
      error: { code: 'TOOL_REFERENCE_INVALID', retryable: true },
    });
  });

  it('of a producer that has not run is refused', async () => {
    const result = await use(async (session) => {
      session.finish({ result: await session.callTool('cite', { source: { id: 'doc-7' } }) });
    });
    expect(result).toMatchObject({ error: { code: 'DEPENDENCY_NOT_COMPLETED' } });
  });
});

describe('a circle or an unknown tool fails before any request', () => {
  it('with the path of the circle', async () => {
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

  it('with the names of both tools', async () => {
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

it('no more tools work at once than allowed', async () => {
  await using setup = await startAgent(batching('work', 'work', 'work', 'work', 'work'), {
    maxParallelTools: 2,
  });
  const { agent } = setup;
  let running = 0;
  let most = 0;
  agent.toolify(tool('work'), async () => {
    running += 1;
    most = Math.max(most, running);
    await wait(3);
    running -= 1;
  });
  await agent.invoke('x');
  expect(most).toBe(2);
});
