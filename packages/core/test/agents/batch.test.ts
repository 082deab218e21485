import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runBatch, settleBatch } from '../../src/agents/batch.js';
import { startAgent } from '../agent-setup.js';

describe('a batch', () => {
  it('keeps the order of its inputs and no more at work than allowed', async () => {
    let running = 0;
    let most = 0;
    const results = await runBatch([5, 4, 3, 2, 1], { maxConcurrency: 2 }, async (delayMs) => {
      running += 1;
      most = Math.max(most, running);
      await wait(delayMs);
      running -= 1;
      return delayMs * 10;
    });
    expect(results).toEqual([50, 40, 30, 20, 10]);
    expect(most).toBe(2);
  });

  it('of nothing does nothing', async () => {
    await using setup = await startAgent(() => {});
    expect(await setup.agent.batch([])).toEqual([]);
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a concurrency of %d', async (maxConcurrency) => {
    await using setup = await startAgent(() => {});
    await expect(setup.agent.batch(['x'], { maxConcurrency })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_OPTION',
    });
  });

  it.each<[string, unknown, unknown, string]>([
    ['an option that does not exist', [], { unknown: 1 }, 'CONFIG_INVALID_OPTION'],
    ['an option that does not fit', [], { timeoutMs: -1 }, 'CONFIG_INVALID_OPTION'],
    ['a settle that is no yes or no', [], { settle: 'false' }, 'CONFIG_INVALID_OPTION'],
    ['options that are none', [], 'fast', 'CONFIG_INVALID_OPTION'],
    ['a number for inputs', 5, {}, 'CONFIG_INVALID_MESSAGES'],
    ['a text for inputs', 'abc', {}, 'CONFIG_INVALID_MESSAGES'],
  ])('refuses %s, also without an input', async (_name, inputs, options, code) => {
    await using setup = await startAgent(() => {});
    await expect(setup.agent.batch(inputs as never, options as never)).rejects.toMatchObject({ code });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('stops the others at the first failure', async () => {
    const ended: string[] = [];
    const batch = runBatch(['bad', 'slow', 'never'], { maxConcurrency: 2 }, async (input, signal) => {
      if (input === 'bad') throw new Error('bad');
      if (input === 'slow')
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      ended.push(input);
    });
    await expect(batch).rejects.toThrow('bad');
    await wait(1);
    expect(ended).toEqual(['slow']);
  });

  it('that settles gives every input its own end', async () => {
    await using setup = await startAgent((session) => {
      const text = session.state.messages[0]?.content;
      if (text === 'three') session.fail('no three');
      else session.finish({ responses: [String(text)] });
    });
    const inputs = ['one', 'two', 'three', 'four', 'five'];
    const settled = await setup.agent.batch(inputs, { settle: true, maxConcurrency: 2 });
    expect(settled.map((end) => (end.status === 'fulfilled' ? end.value.response : end.reason.code))).toEqual(
      ['one', 'two', 'RUN_FAILED', 'four', 'five'],
    );
  });

  it('that is ended by its caller starts nothing more', async () => {
    const controller = new AbortController();
    const started: number[] = [];
    const run = async (input: number, signal: AbortSignal) => {
      started.push(input);
      controller.abort();
      await wait(1);
      signal.throwIfAborted();
    };
    for (const batch of [runBatch, settleBatch]) {
      const promise = batch([1, 2, 3], { maxConcurrency: 1, signal: controller.signal }, run);
      await expect(promise).rejects.toMatchObject({ name: 'AbortError' });
    }
    expect(started).toEqual([1]);
  });

  it('that is ended by its caller tells the caller’s reason, whatever its runs say', async () => {
    for (const batch of [runBatch, settleBatch]) {
      const controller = new AbortController();
      const run = async () => {
        controller.abort(new Error('enough'));
        throw new Error('ended');
      };
      await expect(batch([1], { signal: controller.signal }, run)).rejects.toThrow('enough');
    }
  });
});

it('a hundred runs of one agent at once do not see one another', async () => {
  await using setup = await startAgent(async (session) => {
    const text = String(session.state.messages[0]?.content);
    const first = await session.callTool('remember', { text });
    await session.callTool('remember', { text: `${text}!` });
    const second = await session.callTool('recall');
    session.say(text);
    session.finish({ responses: [text], result: [first, second] });
  });
  const { agent } = setup;
  const { z } = await import('zod');
  const { dependsOnTool, dependsOnPrivateData } = await import('../../src/decorators/depends-on.js');
  const remember = agent.toolify(
    { name: 'remember', description: 'r', input: z.object({ text: z.string() }) },
    async ({ text }, { runId, sessionId }) => {
      await wait(Math.random() * 5);
      return { text, runId, sessionId };
    },
  );
  agent.toolify(
    {
      name: 'recall',
      description: 'r',
      inject: { last: dependsOnTool(remember), mine: dependsOnPrivateData('mine') },
    },
    ({ last, mine }, { runId, sessionId }) => ({
      last,
      fits: mine === `private-of-${last.text}`,
      runId,
      sessionId,
    }),
  );
  const runs = Array.from({ length: 100 }, async (_item, index) => {
    const text = `run-${index}`;
    const run = agent.stream(text, { privateData: { mine: `private-of-${text}!` }, threadId: text });
    const texts: unknown[] = [];
    for await (const { payload } of run) texts.push(payload['streaming_content'], payload['tool_id']);
    const response = await run.response;
    const ids = { runId: run.id, sessionId: response.sessionId };
    expect(response.response).toBe(text);
    expect(response.result).toEqual([
      { status: 'ok', result: { text, ...ids } },
      { status: 'ok', result: { last: { text: `${text}!`, ...ids }, fits: true, ...ids } },
    ]);
    const own = texts.filter((value) => typeof value === 'string' && value !== text);
    expect(own.every((value) => String(value).startsWith(`${response.sessionId}-call-`))).toBe(true);
  });
  await Promise.all(runs);
  expect(agent.runs.size).toBe(0);
  expect(setup.orchestrator.sessions.size).toBe(100);
});
