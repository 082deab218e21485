import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BridgeRegistry, EventBridge, type EventBridgeOptions } from '@svc/events';
import Fastify, { type FastifyInstance } from 'fastify';
import { mountEvents } from '../src/mount-events.js';
import type { MountOptions } from '../src/mount-options.js';

/** Starts an app with the route mounted and a registry of its own. */
export async function listen(
  options: MountOptions = {},
  prepare?: (app: FastifyInstance) => Promise<void> | void,
) {
  const registry = options.registry ?? new BridgeRegistry();
  const app = Fastify({ forceCloseConnections: true });
  await prepare?.(app);
  mountEvents(app, { authorize: () => true, ...options, registry });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    app,
    registry,
    origin,
    url: (sessionId = 's1') => `${origin}/svc/events/${sessionId}`,
    bridge: (sessionId = 's1', bridgeOptions: EventBridgeOptions = { audience: 'frontend_safe' }) =>
      registry.getOrCreate(sessionId, () => new EventBridge(sessionId, bridgeOptions)),
    async [Symbol.asyncDispose]() {
      await app.close();
      await registry.close();
    },
  };
}

/** Sends a request; the result collects the text of the response as it arrives. */
export async function open(url: string, headers: Record<string, string> = {}) {
  const request = httpRequest(url, { headers, agent: false });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let text = '';
  let wake: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      resolve();
      wake();
    });
  });
  response.on('error', () => undefined);
  response.on('data', (chunk: string) => {
    text += chunk;
    wake();
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    request,
    response,
    ended,
    text: () => text,
    /** Resolves when the text so far satisfies the predicate; rejects if the response ends first. */
    async until(predicate: (text: string) => boolean): Promise<string> {
      while (!predicate(text)) {
        if (response.destroyed || response.readableEnded)
          throw new Error(`The response ended with ${JSON.stringify(text)}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return text;
    },
    close: () => request.destroy(),
  };
}

/** Returns the events in a stream's text, as `[id, event]` pairs. */
export function eventsIn(text: string): [string, string][] {
  return [...text.matchAll(/^id: (.*)\nevent: (.*)$/gm)].map(([, id = '', event = '']) => [id, event]);
}

/** Whether a stream has replayed all stored events. */
export const isLive = (text: string) => text.includes(': live\n\n');

/** Returns the argument of `emitAssistantChunk` for a text. */
export const chunk = (text: string) => ({ assistantId: 'a', text });

/** One turn of the event loop. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));
