import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request; the last answer serves every later request. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server that uses these answers one after the other, and records the requests. */
export async function streamServer(...answers: Answer[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    answer?.(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/svc/events/s1`,
    requests,
    cursors: () => requests.map(({ headers }) => headers['last-event-id']),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with this part of an event stream, and ends unless told to stay open. */
export function stream(text: string | Uint8Array, { stayOpen = false } = {}): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(text);
    if (!stayOpen) response.end();
  };
}

/** Answers with only a status. */
export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, headers).end();
  };
}

/** One event as a frame. */
export function frame(id: string, type: string, data: Record<string, unknown> = {}): string {
  const envelope = {
    id,
    type,
    timestamp: '2026-01-01T00:00:00.000Z',
    data: { contract_version: 'v1', event_name: type, ...data },
  };
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(envelope)}\n\n`;
}

/** Makes the client reconnect almost at once. */
export const soon = 'retry: 1\n\n';
