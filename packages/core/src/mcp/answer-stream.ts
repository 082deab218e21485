import type { JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import * as z from 'zod';
import { isEventStream } from './limit-messages.js';
import { readMessage } from './read-message.js';
import { streamOf } from './stream-of.js';

/** What the MCP library makes of a request whose connection is closed. */
const LOST = { code: -32000, message: 'Connection closed' };

const RequestSchema = z.object({ id: z.union([z.string(), z.number()]), method: z.string() });

/**
 * A response whose stream of events has an answer to the request for certain: where it ends without one, and no event has
 * an id from which to go on, an error. The MCP library would let the request wait.
 */
export function completeAnswer(
  response: Response,
  { body, signal }: RequestInit,
  schema: typeof JSONRPCMessageSchema,
): Response {
  if (!response.ok || !response.body || typeof body !== 'string' || !isEventStream(response)) return response;
  const request = RequestSchema.safeParse(JSON.parse(body)).data;
  if (!request) return response;
  const { status, headers } = response;
  const events = readEvents(response.body, { id: request.id, schema, signal: signal ?? undefined });
  return new Response(streamOf(events), { status, headers });
}

interface Reading {
  readonly id: string | number;
  readonly schema: typeof JSONRPCMessageSchema;
  readonly signal: AbortSignal | undefined;
}

async function* readEvents(body: ReadableStream<Uint8Array>, reading: Reading): AsyncGenerator<Uint8Array> {
  const { id, schema, signal } = reading;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const ready: string[] = [];
  let isSettled = false;
  const parser = createParser({
    onEvent: (event) => {
      const message = tryReadMessage(event.data, schema);
      const isAnswer = message && !('method' in message) && message.id === id;
      if (isAnswer || event.id) isSettled = true;
      ready.push(encodeEvent({ ...event, data: message ? JSON.stringify(message) : event.data }));
    },
    onRetry: (retryMs) => ready.push(`retry: ${retryMs}\n`),
  });
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      for (const event of ready.splice(0)) yield encoder.encode(event);
    }
  } catch (error) {
    // The library goes on with it where it can, and needs to know.
    if (isSettled || signal?.aborted) throw error;
  }
  if (!isSettled)
    yield encoder.encode(encodeEvent({ data: JSON.stringify({ jsonrpc: '2.0', id, error: LOST }) }));
}

function tryReadMessage(data: string, schema: typeof JSONRPCMessageSchema): JSONRPCMessage | undefined {
  try {
    return readMessage(data, schema);
  } catch {
    // The library tells of it.
    return undefined;
  }
}

function encodeEvent({
  id,
  event,
  data,
}: Pick<EventSourceMessage, 'data'> & Partial<EventSourceMessage>): string {
  const named = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
  ];
  return [...named, ...data.split('\n').map((line) => `data: ${line}`), '', ''].join('\n');
}
