import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startRawServer } from '../http-servers.js';
import { callTool, connectTo, createContext, textOf } from '../mcp-doubles.js';

type AnswerCall = (response: ServerResponse, id: unknown) => void;

const logLine =
  'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
const beginJson = (response: ServerResponse, status: number) =>
  response.writeHead(status, { 'content-type': 'application/json' }).write('{');
const answerTo = (id: unknown) =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } })}\n\n`;

async function connectToRaw(answerCall: AnswerCall, resume?: Parameters<typeof startRawServer>[1]) {
  const { url, calls } = await startRawServer(answerCall, resume);
  return { tools: await connectTo({ name: 'raw', url }).listTools(), calls };
}

describe('an event stream that ends without the answer fails the call before its timeout', () => {
  it.each<[string, AnswerCall]>([
    ['at the beginning', (response) => begin(response).end()],
    ['after other events', (response) => begin(response).end(`${logLine}\n\n`)],
    ['within the answer', (response, id) => begin(response).end(answerTo(id).slice(0, -20))],
    ['after the answer to another call', (response) => begin(response).end(answerTo('other'))],
    [
      'because the connection breaks',
      (response) => begin(response).write(`${logLine}\n\n`, () => response.destroy()),
    ],
  ])('%s', async (_what, answerCall) => {
    const { tools, calls } = await connectToRaw(answerCall);
    await expect(callTool(tools, '__change')).rejects.toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: expect.stringContaining('disconnected (the connection was closed) while'),
      isRetryable: false,
      details: { outcome: 'unknown' },
    });
    await expect(callTool(tools, '__look')).rejects.toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      isRetryable: true,
    });
    expect(calls).toEqual(['change', 'look']);
  });
});

it('a malformed answer in an event stream fails its call', async () => {
  const { tools } = await connectToRaw((response, id) =>
    begin(response).end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: null })}\n\n`),
  );
  await expect(callTool(tools, '__look')).rejects.toMatchObject({ code: 'MCP_PROTOCOL_VIOLATION' });
});

it('an answer in several lines and chunks is reassembled', async () => {
  const { tools } = await connectToRaw((response, id) => {
    const [head, tail] = answerTo(id).split('"id"');
    begin(response).write(`: hello\nevent: message\n${head}\r\n`, () => response.end(`data: "id"${tail}`));
  });
  expect(textOf(await callTool(tools, '__look'))).toBe('done');
});

it.each<[string, (response: ServerResponse, events: string) => unknown]>([
  ['ends', (response, events) => response.end(events)],
  ['breaks', (response, events) => response.write(events, () => response.destroy())],
])('a stream with event ids that %s is resumed there, without repeating the call', async (_what, end) => {
  const asked: unknown[] = [];
  let callId: unknown;
  const { tools, calls } = await connectToRaw(
    (response, id) => {
      callId = id;
      end(begin(response), 'retry: 10\nid: first\ndata:\n\n');
    },
    (lastEventId, response) => {
      asked.push(lastEventId);
      begin(response).end(answerTo(callId));
    },
  );
  expect(textOf(await callTool(tools, '__change'))).toBe('done');
  expect(asked).toEqual(['first']);
  expect(calls).toEqual(['change']);
});

it.each<[string, (response: ServerResponse) => unknown]>([
  ['has not begun', () => {}],
  ['has begun', (response) => begin(response).flushHeaders()],
  ['has brought an event', (response) => begin(response).write(`${logLine}\n\n`)],
  ['could be resumed', (response) => begin(response).write('retry: 1\nid: first\ndata:\n\n')],
  ['is not a stream and has begun', (response) => beginJson(response, 200)],
])('a cancelled call closes its connection if the response %s', async (_what, answer) => {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const resumed: unknown[] = [];
  const { tools, calls } = await connectToRaw(
    (response, id) => {
      if (calls.length > 1) return void begin(response).end(answerTo(id));
      response.on('close', left.resolve);
      answer(response);
      asked.resolve();
    },
    (lastEventId, response) => {
      resumed.push(lastEventId);
      begin(response).end();
    },
  );
  const leave = new AbortController();
  const { context } = createContext({ signal: leave.signal });
  const call = callTool(tools, '__look', {}, { context });
  await asked.promise;
  leave.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  await left.promise;
  expect(textOf(await callTool(tools, '__look'))).toBe('done');
  expect(resumed).toEqual([]);
});

it.each([
  ['a response', 200],
  ['an error response', 500],
])('%s that does not end loses its connection when the server is closed', async (_what, status) => {
  const started = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const { url } = await startRawServer((response) => {
    response.on('close', left.resolve);
    beginJson(response, status);
    started.resolve();
  });
  const server = connectTo({ name: 'raw', url });
  const call = callTool(await server.listTools(), '__look').catch((error: unknown) => error);
  await started.promise;
  // When this returns, the client has received what was sent before.
  await fetch(url, { method: 'DELETE' });
  await server.close();
  expect(await call).toMatchObject({ code: 'MCP_CONNECTION_LOST' });
  await left.promise;
});
