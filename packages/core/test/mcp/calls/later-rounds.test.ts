import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { callTool, connectTo, createContext } from '../mcp-doubles.js';
import { startStatelessDouble, type Answer } from '../stateless-double.js';

const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } } };
const form = { method: 'elicitation/create', params: { message: 'Really?', requestedSchema } };
const askForIt = { result: { resultType: 'input_required', inputRequests: { it: form } } };

/** Calls a tool of a server that answers each call in the way of its turn, and then with a result. */
async function callInTurns(tool: string, turns: readonly (() => Answer | Promise<Answer>)[], more = {}) {
  const states: unknown[] = [];
  const remote = await startStatelessDouble((method, called, params) => {
    if (method === 'initialize') return { status: 400 };
    if (method === 'tools/call') states.push(params['requestState']);
    const turn = called.filter((name) => name === 'tools/call').length - 1;
    return method === 'tools/call' ? turns[turn]?.() : undefined;
  });
  const { context, questions } = createContext({ answer: () => true });
  const server = connectTo({ name: 'new', url: remote.url, reconnect: { baseMs: 0 }, ...more });
  const [result] = await Promise.allSettled([callTool(await server.listTools(), tool, {}, { context })]);
  const calls = remote.methods.filter((method) => method === 'tools/call');
  return { result, questions, calls, states };
}

it.each<[string, Answer]>([
  ['MCP_HTTP_404', { status: 404 }],
  ['MCP_HTTP_503', { status: 503 }],
  ['MCP_CONNECTION_LOST', { status: 0 }],
])('a call that fails after a person was asked, with %s, is not made again', async (code, failure) => {
  const turns = [() => askForIt, () => failure];
  const { result, questions, calls } = await callInTurns('__look', turns);
  expect(result).toMatchObject({ status: 'rejected', reason: { code } });
  expect([questions.length, calls.length]).toEqual([1, 2]);
});

it.each<[string, Answer]>([
  ['MCP_HTTP_429', { status: 429 }],
  ['MCP_HTTP_503', { status: 503 }],
])(
  'a call that has begun may have taken effect, even if its end is refused with %s',
  async (code, refusal) => {
    const { result } = await callInTurns('__change', [() => askForIt, () => refusal]);
    const details = { outcome: 'unknown' };
    expect(result).toMatchObject({ reason: { code, isRetryable: false, details } });
  },
);

it('a server is not silent when it asks the call to come back', async () => {
  const comeBack = async () => {
    await wait(600);
    return { result: { resultType: 'input_required', requestState: 'later' } };
  };
  const { result } = await callInTurns('__look', [comeBack, comeBack], { callTimeoutMs: 1_500 });
  expect(result).toMatchObject({ status: 'fulfilled' });
});

it('a server gets its state back unchanged, even with a credential in it', async () => {
  const requestState = '{"key":"sk-live-4711"}';
  const comeBack = () => ({ result: { resultType: 'input_required', requestState } });
  const { states } = await callInTurns('__look', [comeBack], { headers: { 'x-api-key': 'sk-live-4711' } });
  expect(states).toEqual([undefined, requestState]);
});

it('a person is not asked if the server also asks for something that nobody can answer', async () => {
  const inputRequests = { it: form, model: { method: 'sampling/createMessage', params: {} } };
  const turn = () => ({ result: { resultType: 'input_required', inputRequests } });
  const { result, questions } = await callInTurns('__look', [turn]);
  expect(result).toMatchObject({ reason: { code: 'MCP_PROTOCOL_VIOLATION' } });
  expect(questions).toEqual([]);
});

it('a call whose stream ends without an answer is lost at once, as no stream can be resumed', async () => {
  const line = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
  const { result } = await callInTurns('__change', [() => ({ events: [line] })], { callTimeoutMs: 3_000 });
  expect(result).toMatchObject({ reason: { code: 'MCP_CONNECTION_LOST', details: { outcome: 'unknown' } } });
});
