import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  dependsOnAwaitFor,
  dependsOnReevaluate,
  requiresProducerReference,
} from '../../src/decorators/order.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { startAgent } from '../agent-setup.js';
import { batching, tool } from './scripted-calls.js';

describe('an order between tools', () => {
  it('each: the n-th call waits for the n-th call of the other tool', async () => {
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

  it('all: a call waits for every call of the other tool', async () => {
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

  it('a call waits for each of the tools that it depends on', async () => {
    await using setup = await startAgent(batching('late', 'quick', 'slow'));
    const { agent } = setup;
    const trace: string[] = [];
    const slow = agent.toolify(tool('slow'), async () => {
      await wait(20);
      trace.push('slow');
    });
    const quick = agent.toolify(tool('quick'), () => void trace.push('quick'));
    agent.toolify(
      { ...tool('late'), order: [dependsOnAwaitFor(slow), dependsOnAwaitFor(quick)] },
      () => void trace.push('late'),
    );
    await agent.invoke('x');
    expect(trace).toEqual(['quick', 'slow', 'late']);
  });

  it('before: the other tool waits for the declaring one, even if that fails', async () => {
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

  it('reevaluate: a call planned before the other tool’s result is refused', async () => {
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

it('reevaluate with timing before refuses the other tool, not the declaring one', async () => {
  await using setup = await startAgent(batching('act', 'look'));
  const { agent } = setup;
  agent.toolify(tool('act'), () => 'done');
  const order = [dependsOnReevaluate('act', { timing: 'before' })];
  agent.toolify({ ...tool('look'), order }, () => 'seen');
  expect((await agent.invoke('x')).result).toMatchObject([
    { error: { code: 'TOOL_REEVALUATE_FIRST', details: { producer: 'look' } } },
    'seen',
  ]);
});

describe('a required reference', () => {
  async function use(
    script: (session: ScriptedSession) => Promise<void>,
    search: () => unknown = () => ({ hits: [{ id: 'doc-7' }] }),
  ): Promise<unknown> {
    await using setup = await startAgent(script);
    const { agent } = setup;
    agent.toolify(tool('search'), search);
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

  it('is accepted if the producer returned it', async () => {
    const result = await use(async (session) => {
      await session.callTool('search');
      session.finish({ result: await session.callTool('cite', { source: { id: 'doc-7' } }) });
    });
    expect(result).toMatchObject({ status: 'ok' });
  });

  it('is refused if the producer did not return it', async () => {
    const result = await use(async (session) => {
      await session.callTool('search');
      session.finish({ result: await session.callTool('cite', { source: { id: 'doc-8' } }) });
    });
    expect(result).toMatchObject({
      status: 'error',
      error: { code: 'TOOL_REFERENCE_INVALID', retryable: true },
    });
  });

  it('is refused if its producer has not run', async () => {
    const result = await use(async (session) => {
      session.finish({ result: await session.callTool('cite', { source: { id: 'doc-7' } }) });
    });
    expect(result).toMatchObject({ error: { code: 'DEPENDENCY_NOT_COMPLETED' } });
  });

  it('is checked at every path, for strings and numbers', async () => {
    const given = [
      { id: 7, kind: 'a' },
      { id: 8, kind: 'a' },
      { id: 7, kind: 'b' },
      { id: null, kind: 'a' },
    ];
    await using setup = await startAgent(async (session) => {
      await session.callTool('search');
      const result: unknown[] = [];
      for (const args of given) result.push(await session.callTool('cite', args));
      session.finish({ result });
    });
    const { agent } = setup;
    agent.toolify(tool('search'), () => ({ id: 7, kind: 'a' }));
    const order = ['id', 'kind'].map((argumentPath) =>
      requiresProducerReference({ argumentPath, producer: 'search' }),
    );
    const input = z.object({ id: z.number().nullable(), kind: z.string() });
    agent.toolify({ ...tool('cite'), input, order }, () => 'cited');
    const refused = (argument_path: string) => ({
      error: { code: 'TOOL_REFERENCE_INVALID', details: { argument_path, producer: 'search' } },
    });
    expect((await agent.invoke('x')).result).toMatchObject([
      { status: 'ok', result: 'cited' },
      refused('id'),
      refused('kind'),
      refused('id'),
    ]);
  });

  it('is checked for each item of a list, which must not be empty', async () => {
    const given = [['doc-7', 'doc-8'], ['doc-7', 'doc-9'], []];
    await using setup = await startAgent(async (session) => {
      await session.callTool('search');
      const result: unknown[] = [];
      for (const ids of given) result.push(await session.callTool('cite', { ids }));
      session.finish({ result });
    });
    setup.agent.toolify(tool('search'), () => ({ hits: [{ id: 'doc-7' }, { id: 'doc-8' }] }));
    const order = [requiresProducerReference({ argumentPath: 'ids', producer: 'search' })];
    const input = z.object({ ids: z.array(z.string()) });
    setup.agent.toolify({ ...tool('cite'), input, order }, () => 'cited');
    const refused = { error: { code: 'TOOL_REFERENCE_INVALID', details: { argument_path: 'ids' } } };
    expect((await setup.agent.invoke('x')).result).toMatchObject([{ result: 'cited' }, refused, refused]);
  });

  it('is left to the tool if it is neither a text nor a number', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTool('search');
      session.finish({ result: await session.callTool('cite', { all: true }) });
    });
    setup.agent.toolify(tool('search'), () => ({ id: 'doc-7' }));
    const order = [requiresProducerReference({ argumentPath: 'all', producer: 'search' })];
    setup.agent.toolify({ ...tool('cite'), input: z.object({ all: z.boolean() }), order }, () => 'cited');
    expect((await setup.agent.invoke('x')).result).toMatchObject({ result: 'cited' });
  });

  it('is refused if its producer failed', async () => {
    const script = async (session: ScriptedSession) => {
      await session.callTool('search');
      session.finish({ result: await session.callTool('cite', { source: { id: 'doc-7' } }) });
    };
    const result = await use(script, () => Promise.reject(new Error('doc-7')));
    expect(result).toMatchObject({ error: { code: 'DEPENDENCY_NOT_COMPLETED' } });
  });

  it('times out after dependencyTimeoutMs if its producer hangs', async () => {
    await using setup = await startAgent(batching('search', { name: 'cite', args: { id: 'doc-7' } }), {
      dependencyTimeoutMs: 20,
    });
    const { agent } = setup;
    const search = Promise.withResolvers<{ id: string }>();
    agent.toolify(tool('search'), async () => search.promise);
    const order = [requiresProducerReference({ argumentPath: 'id', producer: 'search' })];
    agent.toolify({ ...tool('cite'), input: z.object({ id: z.string() }), order }, () => 'cited');
    const run = agent.stream('x');
    for await (const { payload } of run) if (payload['status'] === 'failed') search.resolve({ id: 'doc-7' });
    expect((await run.response).result).toMatchObject([
      { id: 'doc-7' },
      { error: { code: 'DEPENDENCY_TIMEOUT', retryable: true, details: { producer: 'search' } } },
    ]);
  });
});

it('runs at most maxParallelTools tools at once', async () => {
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
