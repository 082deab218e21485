import { describe, expect, it, vi } from 'vitest';
import { limitMessages } from '../../../src/mcp/transport/limit-messages.js';
import { startRawServer } from '../http-servers.js';
import { callTool, connectTo, textOf } from '../mcp-doubles.js';

const EVENTS = 'text/event-stream; charset=utf-8';

/** Reads a body of these chunks with a limit of ten bytes per message; returns its text or error, and the reports. */
async function read(type: string, pieces: readonly string[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const reported: string[] = [];
  const response = new Response(body, { status: 203, headers: { 'content-type': type } });
  const limited = limitMessages(response, 10, { onExcess: (reason) => void reported.push(reason) });
  expect([limited.status, limited.headers.get('content-type')]).toEqual([203, type]);
  return { text: await limited.text().catch((error: Error) => error.message), reported };
}

const excess = 'it sent a message of more than 10 bytes (maxMessageBytes)';

describe('a message in a body', () => {
  it.each([
    ['a whole body', 'application/json', ['1234567890']],
    ['an event', EVENTS, ['1234567890\n\n']],
    ['several events', EVENTS, ['12345\n67890\n\n1234567890\n\n12345\n']],
    ['events with CRLF line endings', EVENTS, ['12345\r\n67890\r\n\r\n12345\r\n67890']],
    ['events with CR line endings', EVENTS, ['12345\r67890\r\r12345\r67890']],
    [
      'events with line endings split between chunks',
      EVENTS,
      ['1234567890\r', '\n\r', '\n1234567890\n', '\n1234567890'],
    ],
    ['many small events', EVENTS.toUpperCase(), Array.from({ length: 100 }, () => '123456789\n\n')],
  ])('passes up to the limit: %s', async (_what, type, pieces) => {
    expect(await read(type, pieces)).toEqual({ text: pieces.join(''), reported: [] });
  });

  it.each([
    ['a body', 'application/json', ['12345678901']],
    ['a body of short lines', 'application/json', ['1234\n6789', '\n\n']],
    ['a body whose type only begins like that of events', 'text/event-stream-x', ['123456\n\n', '7890']],
    ['an event', EVENTS, ['1\n\n12345678901']],
    ['an event that ends in the same chunk', EVENTS, ['12345678901\n\n']],
    ['an event of short lines', EVENTS, ['12345\n', '67890\n', '1']],
    ['an event of short lines with CRLF line endings', EVENTS, ['12345\r', '\n67890\r\n1']],
  ])('over the limit fails the body and is reported once: %s', async (_what, type, pieces) => {
    expect(await read(type, [...pieces, 'more'])).toEqual({ text: excess, reported: [excess] });
  });

  it('is not limited if there is no body: the response stays the same', () => {
    const response = new Response(undefined, { status: 202 });
    expect(limitMessages(response, 10, { onExcess: () => {} })).toBe(response);
  });
});

describe('the end of a body is reported once', () => {
  const partOf = (end: (body: ReadableStreamDefaultController<Uint8Array>) => void) =>
    new ReadableStream<Uint8Array>({
      start(body) {
        body.enqueue(new TextEncoder().encode('part'));
        end(body);
      },
    });

  it.each<[string, ReadableStream<Uint8Array> | null, (response: Response) => unknown]>([
    ['if there is none', null, () => {}],
    ['when it has been read', partOf((body) => body.close()), async (response) => response.text()],
    ['when it fails', partOf((body) => body.error(new Error('broken'))), async (response) => response.text()],
    ['when it is cancelled unread', partOf(() => {}), async (response) => response.body?.cancel()],
  ])('%s', async (_what, body, read) => {
    const ended = Promise.withResolvers<void>();
    const onEnd = vi.fn(ended.resolve);
    await Promise.allSettled([read(limitMessages(new Response(body), 10, { onExcess: () => {}, onEnd }))]);
    await ended.promise;
    expect(onEnd).toHaveBeenCalledOnce();
  });
});

it.each(['application/json', 'text/event-stream'])(
  'a server is disconnected for an answer of %s over the limit, however short its lines are',
  async (type) => {
    const { url } = await startRawServer((response, id) => {
      const content = Array.from({ length: 3_000 }, () => ({ type: 'text', text: 'x'.repeat(100) }));
      const json = JSON.stringify({ jsonrpc: '2.0', id, result: { content } }, null, 2);
      const event = `${json.replaceAll(/^/gm, 'data: ')}\n\n`;
      response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? json : event);
    });
    const ofBytes = async (maxMessageBytes: number) => {
      const tools = await connectTo({ name: 'raw', url, maxMessageBytes }).listTools();
      return callTool(tools, '__look');
    };
    await expect(ofBytes(10_000)).rejects.toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      message: expect.stringContaining('a message of more than 10000 bytes'),
    });
    expect(textOf(await ofBytes(1_000_000))).toBe('x'.repeat(100));
  },
);
