import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import type { Agent } from '../../../../src/agents/agent.js';
import { MAX_TIMER_MS } from '../../../../src/deadline.js';
import { dependsOnInterrupt } from '../../../../src/decorators/depends-on.js';
import { HeldCall } from '../../../../src/mcp/serve/calls/held-call.js';
import type { OfferedResult } from '../../../../src/mcp/serve/offers/offer.js';
import { serveMcp, type MCPService, type ServeMcpOptions } from '../../../../src/mcp/serve/serve-mcp.js';
import { messageOf } from '../../../../src/message-of.js';
import type { ToolQuestion } from '../../../../src/tools/reports/tool-reports.js';
import { startAgent } from '../../../agent-setup.js';

type Json = Record<string, unknown>;

/** The result that asks for answers. */
const Asked = z.object({
  requestState: z.string(),
  inputRequests: z.record(
    z.string(),
    z.object({
      params: z.object({ requestedSchema: z.object({ properties: z.record(z.string(), z.unknown()) }) }),
    }),
  ),
});

interface Sender {
  capabilities?: Json;
  authorization?: string;
  signal?: AbortSignal;
  meta?: Json;
}

/** Serves an agent; returns a function that sends calls, as `callsOf` does. */
function callsTo(agent: Agent, options: ServeMcpOptions = {}) {
  const service = serveMcp(agent, { offer: 'tools', ...options });
  onTestFinished(async () => service.close());
  return callsOf(service);
}

/** Returns a function that sends a call of a tool in a request of its own, and returns the result or the error. */
function callsOf(service: MCPService) {
  return async (name: string, params: Json = {}, sender: Sender = {}): Promise<unknown> => {
    const {
      capabilities = { elicitation: { form: {} } },
      authorization = 'Bearer ada',
      signal = null,
      meta = {},
    } = sender;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      ...meta,
    };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      authorization,
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, ...params, _meta } };
    const init = { method: 'POST', headers, body: JSON.stringify(message), signal };
    const response = await service.fetch(new Request('http://127.0.0.1/mcp', init));
    const body = await response.text();
    const [, data = body] = /^data: (.*)$/mu.exec(body) ?? [];
    const { result, error } = JSON.parse(data);
    return result ?? error;
  };
}

/** Starts an agent with a tool that asks these questions at once, and returns the answers, or why there are none. */
async function startAsking(...questions: readonly Partial<ToolQuestion>[]) {
  const setup = await startAgent([]);
  setup.agent.toolify({ name: 'ask', description: 'Ask' }, async (_args, { ask }) => {
    const asked = questions.map(async (question, at) =>
      ask({ name: `it${at}`, prompt: 'What?', ...question }),
    );
    const answers = await Promise.allSettled(asked);
    return answers.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)).join(', ');
  });
  return setup;
}

/** Brings these values as answers to the questions of a result. */
function answer(result: unknown, values: Json = {}) {
  const { requestState, inputRequests } = Asked.parse(result);
  const answered = Object.entries(inputRequests).flatMap(([key, { params }]) =>
    Object.keys(params.requestedSchema.properties)
      .filter((name) => name in values)
      .map((name) => [key, { action: 'accept', content: { [name]: values[name] } }]),
  );
  return { requestState, inputResponses: Object.fromEntries(answered) };
}

const INVALID_STATE = { code: -32602, data: { reason: 'invalid_request_state' } };

it('a call can be continued by the client that authorize names, with whatever token', async () => {
  await using setup = await startAsking({});
  const authorize = ({ headers }: Request) => ({ client: headers.get('authorization')?.split(' ')[1] ?? '' });
  const call = callsTo(setup.agent, { authorize });
  const reply = answer(await call('ask', {}, { authorization: 'Bearer ada 1' }), { it0: 'mine' });
  expect(await call('ask', reply, { authorization: 'Bearer eve 1' })).toMatchObject(INVALID_STATE);
  expect(await call('ask', reply, { authorization: 'Bearer ada 2' })).toMatchObject({
    content: [{ text: 'mine' }],
  });
});

it('questions that are asked at once are brought together, and again if they were not answered', async () => {
  await using setup = await startAsking({}, {});
  const call = callsTo(setup.agent);
  const asked = await call('ask');
  expect(Object.keys(Asked.parse(asked).inputRequests)).toHaveLength(2);
  const again = await call('ask', answer(asked, { it1: 'two' }));
  expect(Object.keys(Asked.parse(again).inputRequests)).toEqual(['question-1']);
  expect(Asked.parse(again).requestState).not.toBe(Asked.parse(asked).requestState);
  expect(await call('ask', answer(again, { it0: 'one' }))).toMatchObject({ content: [{ text: 'one, two' }] });
});

it('the state of a call is valid once, for its tool and with the credentials of its client', async () => {
  await using setup = await startAsking({});
  setup.agent.toolify({ name: 'other', description: 'Other' }, () => 'other');
  const call = callsTo(setup.agent);
  const reply = answer(await call('ask'), { it0: 'mine' });
  expect(await call('ask', reply, { authorization: 'Bearer eve' })).toMatchObject(INVALID_STATE);
  expect(await call('other', reply)).toMatchObject(INVALID_STATE);
  expect(await call('ask', { ...reply, requestState: 'made-up' })).toMatchObject(INVALID_STATE);
  expect(await call('ask', reply)).toMatchObject({ content: [{ text: 'mine' }] });
  expect(await call('ask', reply)).toMatchObject(INVALID_STATE);
});

describe('while a call waits for an answer', () => {
  afterEach(() => void vi.useRealTimers());
  const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  it.each([100, 1_000])(
    'it goes on when its question expires, and its result is kept for sessionIdleMs after that (%d ms)',
    async (expiresInMs) => {
      await using setup = await startAsking({ expiresInMs });
      const call = callsTo(setup.agent, { sessionIdleMs: 1_000 });
      fakeTimers();
      const [first, second] = [await call('ask'), await call('ask')];
      await vi.advanceTimersByTimeAsync(expiresInMs + 999);
      expect(await call('ask', answer(first, { it0: 'late' }))).toMatchObject({
        content: [{ text: "Nobody answered 'it0' in time." }],
      });
      await vi.advanceTimersByTimeAsync(1);
      expect(await call('ask', answer(second, { it0: 'late' }))).toMatchObject(INVALID_STATE);
      vi.useRealTimers();
    },
  );

  it('it is kept as long as its question is open', async () => {
    await using setup = await startAsking({ expiresInMs: 1_000 });
    const call = callsTo(setup.agent, { sessionIdleMs: 123 });
    fakeTimers();
    const asked = await call('ask');
    await vi.advanceTimersByTimeAsync(999);
    expect(await call('ask', answer(asked, { it0: 'x' }))).toMatchObject({ content: [{ text: 'x' }] });
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('a question expires at the latest when no timer can be longer', async () => {
    await using setup = await startAgent([]);
    const size = dependsOnInterrupt({ prompt: 'Which size?', expiresInMs: 2 * MAX_TIMER_MS });
    setup.agent.toolify({ name: 'buy', description: 'Buy', inject: { size } }, () => 'bought');
    const call = callsTo(setup.agent);
    fakeTimers();
    const asked = await call('buy');
    await vi.advanceTimersByTimeAsync(MAX_TIMER_MS);
    expect(await call('buy', answer(asked, { size: 'L' }))).toMatchObject({
      content: [{ text: expect.stringContaining('in time') }],
    });
    vi.useRealTimers();
  });

  it('its question ends with the service, and with the call', async () => {
    await using setup = await startAsking({}, {});
    setup.agent.toolify({ name: 'hasty', description: 'Ask' }, async (_args, { ask }) => {
      ask({ name: 'it', prompt: 'What?' }).catch(() => {});
    });
    await using service = serveMcp(setup.agent, { offer: 'tools' });
    const call = callsOf(service);
    fakeTimers();
    expect(await call('hasty')).toMatchObject({ isError: false });
    expect(vi.getTimerCount()).toBe(0);
    Asked.parse(await call('ask'));
    expect(vi.getTimerCount()).toBeGreaterThan(1);
    await service.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('what it reports is lost, and does not fail', async () => {
    await using setup = await startAgent([]);
    const waiting = Promise.withResolvers<void>();
    setup.agent.toolify({ name: 'ask', description: 'Ask' }, async (_args, { ask, reportLog }) => {
      const asking = ask({ name: 'it', prompt: 'What?' });
      await waiting.promise;
      await reportLog({ level: 'error', message: 'lost' });
      return asking;
    });
    const call = callsTo(setup.agent);
    const meta = { 'io.modelcontextprotocol/logLevel': 'debug' };
    const asked = await call('ask', {}, { meta });
    waiting.resolve();
    expect(await call('ask', answer(asked, { it: 'x' }))).toMatchObject({ content: [{ text: 'x' }] });
  });

  it('its result does not keep the process alive, and goes with the service', async () => {
    await using setup = await startAsking({ expiresInMs: 100 });
    await using service = serveMcp(setup.agent, { offer: 'tools', sessionIdleMs: 123 });
    const call = callsOf(service);
    fakeTimers();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await call('ask');
    await vi.advanceTimersByTimeAsync(100);
    const kept = timers.mock.results.filter((_, index) => timers.mock.calls[index]?.[1] === 123);
    expect(kept.map(({ value }) => value.hasRef())).toEqual([false]);
    await service.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

it('a question is refused if maxSessions calls wait for answers already', async () => {
  await using setup = await startAsking({});
  const call = callsTo(setup.agent, { maxSessions: 1 });
  const first = await call('ask');
  expect(await call('ask')).toMatchObject({ content: [{ text: 'Too many calls are waiting for answers.' }] });
  expect(await call('ask', answer(first, { it0: 'first' }))).toMatchObject({ content: [{ text: 'first' }] });
  Asked.parse(await call('ask'));
});

it('results that are kept make room for calls that wait', async () => {
  const withdrawn = new AbortController();
  await using setup = await startAsking({ signal: withdrawn.signal });
  setup.agent.toolify({ name: 'wait', description: 'Wait' }, async (_args, { ask }) =>
    ask({ name: 'it', prompt: 'What?' }),
  );
  const call = callsTo(setup.agent, { maxSessions: 2 });
  const [first, second] = [await call('ask'), await call('ask')];
  withdrawn.abort(new Error('over'));
  const waiting = await call('wait');
  expect(await call('ask', answer(first))).toMatchObject(INVALID_STATE);
  expect(await call('ask', answer(second))).toMatchObject({ content: [{ text: 'over' }] });
  expect(await call('wait', answer(waiting, { it: 'x' }))).toMatchObject({ content: [{ text: 'x' }] });
});

it('a question that was withdrawn is not brought again', async () => {
  const withdrawn = new AbortController();
  await using setup = await startAsking({}, { signal: withdrawn.signal });
  const call = callsTo(setup.agent);
  const asked = await call('ask');
  withdrawn.abort(new Error('no longer asked'));
  const again = await call('ask', answer(asked));
  expect(Object.keys(Asked.parse(again).inputRequests)).toEqual(['question-1']);
  expect(await call('ask', answer(again, { it0: 'yes' }))).toMatchObject({
    content: [{ text: 'yes, no longer asked' }],
  });
});

it.each([
  [{}, false],
  [{ elicitation: {} }, true],
  [{ elicitation: { form: {} } }, true],
  [{ elicitation: { form: {}, url: {} } }, true],
  [{ elicitation: { url: {} } }, false],
])('a client with the capabilities %j is asked: %s', async (capabilities, isAsked) => {
  await using setup = await startAsking({});
  const result = await callsTo(setup.agent)('ask', {}, { capabilities });
  expect(Asked.safeParse(result).success).toBe(isAsked);
});

it('answers of a wrong form count as none', async () => {
  await using setup = await startAsking({});
  const call = callsTo(setup.agent);
  let asked = await call('ask');
  for (const wrong of [
    'x',
    { action: 'sneeze' },
    { method: 'elicitation/create', result: {} },
    { roots: [] },
  ]) {
    const { requestState } = answer(asked);
    asked = await call('ask', { requestState, inputResponses: { 'question-1': wrong } });
  }
  expect(await call('ask', answer(asked, { it0: 'right' }))).toMatchObject({ content: [{ text: 'right' }] });
});

it('a client that leaves after its answer cancels the call', async () => {
  await using setup = await startAgent([]);
  const [answered, aborted] = [Promise.withResolvers<unknown>(), Promise.withResolvers<void>()];
  setup.agent.toolify({ name: 'ask', description: 'Ask' }, async (_args, { ask, signal }) => {
    answered.resolve(await ask({ name: 'it', prompt: 'What?' }));
    signal.addEventListener('abort', () => aborted.resolve());
    await aborted.promise;
  });
  const call = callsTo(setup.agent);
  const asked = await call('ask');
  const leave = new AbortController();
  const left = call('ask', answer(asked, { it: 'x' }), { signal: leave.signal });
  expect(await answered.promise).toBe('x');
  leave.abort();
  await aborted.promise;
  await expect(left).rejects.toThrow();
});

it('a client that leaves just when it is asked cancels the call', async () => {
  await using setup = await startAgent([]);
  const leave = new AbortController();
  const aborted = Promise.withResolvers<void>();
  setup.agent.toolify({ name: 'ask', description: 'Ask' }, async (_args, { ask, signal }) => {
    signal.addEventListener('abort', () => aborted.resolve());
    const answered = ask({ name: 'it', prompt: 'What?' });
    for (let tick = 0; tick < 8; tick += 1) await Promise.resolve();
    leave.abort();
    return answered;
  });
  await expect(callsTo(setup.agent)('ask', {}, { signal: leave.signal })).rejects.toThrow();
  await aborted.promise;
});

it('a client that can no longer ask anybody is not asked again', async () => {
  await using setup = await startAgent([]);
  setup.agent.toolify({ name: 'ask', description: 'Ask' }, async (_args, { ask }) => {
    await ask({ name: 'it', prompt: 'What?' });
    await ask({ name: 'more', prompt: 'What?' });
  });
  const call = callsTo(setup.agent);
  const reply = answer(await call('ask'), { it: 'x' });
  expect(await call('ask', reply, { capabilities: {} })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('does not support questions') }],
  });
});

it.each<[string, () => Promise<OfferedResult> | undefined]>([
  ['has succeeded', async () => ({ isError: false, text: 'done' })],
  ['has failed', async () => Promise.reject(new Error('it broke'))],
  ['has no tool', () => undefined],
])('a call that %s leaves no listener on the signal of its service', async (_how, run) => {
  const { signal } = new AbortController();
  const request = {
    signal,
    canAsk: false,
    reportProgress: async () => {},
    reportLog: async () => {},
    readAnswer: () => undefined,
  };
  const call = new HeldCall('tool', request, signal);
  const isBegun = call.begin(run);
  if (isBegun) await call.proceed(request).catch(() => undefined);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a client that can no longer ask anybody is not asked the same question again', async () => {
  await using setup = await startAsking({});
  const call = callsTo(setup.agent);
  const asked = answer(await call('ask'));
  expect(await call('ask', asked, { capabilities: {} })).toMatchObject({
    content: [{ text: expect.stringContaining('does not support questions') }],
  });
});

it.each([
  ['withdrawn', 'not needed', AbortSignal.abort(new Error('not needed'))],
  ['followed by the end of the call', 'over', undefined],
])('a question that is %s at once is not brought', async (_what, text, signal) => {
  await using setup = await startAgent([]);
  setup.agent.toolify({ name: 'ask', description: 'Ask' }, async (_args, { ask }) => {
    const asked = ask({ name: 'it', prompt: 'What?', ...(signal && { signal }) });
    return signal ? asked.catch(messageOf) : 'over';
  });
  expect(await callsTo(setup.agent)('ask')).toMatchObject({ content: [{ text }] });
});

it('questions that are asked shortly after each other are brought together', async () => {
  await using setup = await startAgent([]);
  setup.agent.toolify({ name: 'ask', description: 'Ask' }, async (_args, { ask }) => {
    const first = ask({ name: 'first', prompt: 'What?' });
    for (let tick = 0; tick < 20; tick += 1) await Promise.resolve();
    const second = ask({ name: 'second', prompt: 'What?' });
    return [await first, await second].join();
  });
  const call = callsTo(setup.agent);
  const reply = answer(await call('ask'), { first: 'a', second: 'b' });
  expect(await call('ask', reply)).toMatchObject({ content: [{ text: 'a,b' }] });
});
