import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { startServer } from '../http-server.js';

/** How a server answers a request: with a result, a JSON-RPC error, a status, or a stream of events. */
export interface Answer {
  readonly events?: readonly object[];
  readonly result?: object;
  readonly error?: number;
  /** Zero breaks the connection. */
  readonly status?: number;
}

const RequestSchema = z.object({
  id: z.unknown().optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});

const inputSchema = { type: 'object' };
const RESULTS: Readonly<Record<string, object>> = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': {
    tools: [
      { name: 'change', inputSchema },
      { name: 'look', inputSchema, annotations: { readOnlyHint: true } },
    ],
    ttlMs: 60_000,
    cacheScope: 'private',
  },
  'tools/call': { content: [] },
};

/**
 * Starts a handwritten server without a handshake, and records the methods that are called. `answer` answers what the
 * default does not.
 */
export async function startStatelessDouble(
  answer: (
    method: string,
    called: readonly string[],
    params: Readonly<Record<string, unknown>>,
  ) => Answer | undefined | Promise<Answer | undefined>,
) {
  const methods: string[] = [];
  const server = await startServer((request, response) => {
    void (async () => {
      const { id, method, params } = RequestSchema.parse(JSON.parse(await text(request)));
      methods.push(method);
      const { status = 200, error, result, events } = (await answer(method, methods, params)) ?? {};
      if (status === 0) return response.destroy();
      if (events) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return response.end(events.map((event) => `id: 1\ndata: ${JSON.stringify(event)}\n\n`).join(''));
      }
      const failure = error === undefined ? undefined : { code: error, message: 'No' };
      const content = failure ? { error: failure } : { result: result ?? found(method) };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 200 || failure ? JSON.stringify({ jsonrpc: '2.0', id, ...content }) : '');
    })();
  });
  onTestFinished(async () => server[Symbol.asyncDispose]());
  return { url: `${server.url}/mcp`, methods };
}

const found = (method: string) => ({ resultType: 'complete', ...RESULTS[method] });
