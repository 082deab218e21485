import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runBatch, settleBatch } from '../../src/agents/batch.js';
import { startAgent } from '../agent-setup.js';

describe('a batch', () => {
  it('returns results in input order and runs at most maxConcurrency inputs at once', async () => {
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

  it('sends no request if it has no inputs', async () => {
    await using setup = await startAgent(() => {});
    expect(await setup.agent.batch([])).toEqual([]);
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a maxConcurrency of %d', async (maxConcurrency) => {
    await using setup = await startAgent(() => {});
    await expect(setup.agent.batch(['x'], { maxConcurrency })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_OPTION',
    });
  });

  it.each<[string, unknown]>([
    ['an unknown option', { unknown: 1 }],
    ['an invalid timeout', { timeoutMs: -1 }],
    ['a maxConcurrency of 0', { maxConcurrency: 0 }],
    ['a settle that is not a boolean', { settle: 'false' }],
    ['options that are not an object', 'fast'],
  ])('refuses %s, even if it has no inputs', async (_name, options) => {
    await using setup = await startAgent(() => {});
    const code = 'CONFIG_INVALID_OPTION';
    await expect(setup.agent.batch([], options as never)).rejects.toMatchObject({ code });
  });

  it.each([5, 'abc'])('refuses %j as inputs', async (inputs) => {
    await using setup = await startAgent(() => {});
    const code = 'CONFIG_INVALID_MESSAGES';
    await expect(setup.agent.batch(inputs as never)).rejects.toMatchObject({ code });
    expect(setup.orchestrator.requests).toEqual([]);
  });

  it('refuses a hole in its inputs', async () => {
    await using setup = await startAgent((session) => session.finish());
    const code = 'CONFIG_INVALID_MESSAGES';
    await expect(setup.agent.batch(Object.assign([], { 1: 'x' }))).rejects.toMatchObject({ code });
  });

  it('aborts running inputs and starts no more after the first failure', async () => {
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

  it('returns a fulfilled or rejected result for each input if settle is true', async () => {
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

  it.each([
    ['runBatch', runBatch],
    ['settleBatch', settleBatch],
  ])('starts no more inputs once its signal aborts: %s', async (_name, batch) => {
    const controller = new AbortController();
    const started: number[] = [];
    const run = async (input: number, signal: AbortSignal) => {
      started.push(input);
      controller.abort();
      await wait(1);
      signal.throwIfAborted();
    };
    for (const _when of ['aborts during the first input', 'aborted before']) {
      const promise = batch([1, 2, 3], { maxConcurrency: 1, signal: controller.signal }, run);
      await expect(promise).rejects.toMatchObject({ name: 'AbortError' });
      expect(started).toEqual([1]);
    }
  });

  it('rejects with its signal’s reason rather than the error of a run', async () => {
    for (const batch of [runBatch, settleBatch]) {
      const controller = new AbortController();
      const run = async () => {
        controller.abort(new Error('enough'));
        throw new Error('ended');
      };
      await expect(batch([1], { maxConcurrency: 1, signal: controller.signal }, run)).rejects.toThrow(
        'enough',
      );
    }
  });
});

it('a hundred concurrent runs of one agent are isolated from each other', async () => {
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
