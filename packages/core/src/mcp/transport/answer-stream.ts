import type { JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { encodeFrame } from '@svc/contracts/sse';
import { createParser } from 'eventsource-parser';
import { isEventStream } from '../../is-event-stream.js';
import type { OpenRequest } from './open-requests.js';
import { readMessage } from './read-message.js';
import { streamOf } from './stream-of.js';

/** Answers a request whose connection is closed. */
export const LOST = { code: -32000, message: 'Connection closed' };

/** A request whose response may be an event stream, which may be resumable. */
type StreamedRequest = Pick<OpenRequest, 'id' | 'signal'> & { readonly isResumable: boolean };

/**
 * Returns a response whose event stream is guaranteed to answer the request: if it ends without an answer, and cannot be
 * resumed because of the protocol's version or because no event has an id, an error is added. The MCP library would let
 * the request wait. If nobody waits any more, the stream ends.
 */
export function completeAnswer(
  response: Response,
  request: StreamedRequest | undefined,
  parse: typeof parseJSONRPCMessage,
): Response {
  const { status, headers } = response;
  const isStream = isEventStream(headers.get('content-type') ?? '');
  if (!request || !response.ok || !response.body || !isStream) return response;
  return new Response(streamOf(readEvents(response.body, request, parse)), { status, headers });
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { id, signal, isResumable: canResume }: StreamedRequest,
  parse: typeof parseJSONRPCMessage,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const ready: string[] = [];
  let isAnswered = false;
  let isResumable = false;
  const parser = createParser({
    onEvent: (event) => {
      const message = tryReadMessage(event.data, parse);
      if (message && !('method' in message) && message.id === id) isAnswered = true;
      if (event.id && canResume) isResumable = true;
      ready.push(encodeFrame({ ...event, data: message ? JSON.stringify(message) : event.data }));
    },
    onRetry: (retryMs) => ready.push(`retry: ${retryMs}\n`),
  });
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      for (const event of ready.splice(0)) yield encoder.encode(event);
    }
  } catch (error) {
    // The library resumes the stream if it can, so it needs the error, unless nobody waits any more.
    if ((isAnswered || isResumable) && !signal.aborted) throw error;
  }
  if (isAnswered || (isResumable && !signal.aborted)) return;
  // The library releases a resumable stream only for a result, which nobody reads here.
  const answer = signal.aborted ? { result: {} } : { error: LOST };
  yield encoder.encode(encodeFrame({ data: JSON.stringify({ jsonrpc: '2.0', id, ...answer }) }));
}

function tryReadMessage(data: string, parse: typeof parseJSONRPCMessage): JSONRPCMessage | undefined {
  try {
    return readMessage(data, parse);
  } catch {
    // The library reports it.
    return undefined;
  }
}
