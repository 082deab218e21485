import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer to one request. */
export interface WireAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body of an answer that is not a stream. */
  readonly json?: unknown;
  /** Server-sent events of a stream, already encoded. */
  readonly events?: readonly string[];
  /** Ends the connection after the events instead of closing the stream. */
  readonly breaksOff?: boolean;
  /** Leaves the stream open: only an abort ends it. */
  readonly hangs?: boolean;
  /** Repeats the last event for as long as the response is read. */
  readonly repeats?: boolean;
}

/** A request as it arrived. */
export interface WireRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A local model service that answers from a script. */
export interface WireServer {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  /** The number of answers that are still being read. */
  openStreams(): number;
  /** Ends the connections of answers that hang. */
  breakOff(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

async function repeat(response: ServerResponse, event: string | undefined) {
  const left = once(response, 'close');
  while (!response.destroyed) if (!response.write(event)) await Promise.race([once(response, 'drain'), left]);
}

async function answer(
  response: ServerResponse,
  { status = 200, headers = {}, json, events = [], breaksOff, hangs, repeats }: WireAnswer,
) {
  response.writeHead(status, {
    'content-type': json === undefined ? 'text/event-stream' : 'application/json',
    ...headers,
  });
  if (json !== undefined) {
    response.end(JSON.stringify(json));
    return;
  }
  response.flushHeaders();
  for (const event of events) response.write(event);
  if (repeats) await repeat(response, events.at(-1));
  // Everything written arrives, then the connection ends in the middle of the body.
  if (breaksOff) response.socket?.end();
  else if (!hangs) response.end();
}

/** Starts a local HTTP server that gives one scripted answer per request; it fails the request when none is left. */
export async function wireServer(script: readonly WireAnswer[]): Promise<WireServer> {
  const left = [...script];
  const requests: WireRequest[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      void answer(
        response,
        left.shift() ?? { status: 501, json: { error: { message: 'The script is over.' } } },
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    openStreams: () => open.size,
    breakOff: () => {
      for (const response of open) response.socket?.end();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const sse = (data: unknown, event?: string) =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

type ToolCallSketch = { id: string; name: string; args: string };

const split = (text: string) => text.match(/[\s\S]{1,9}/g) ?? [];

/** A chat completion stream as OpenAI sends it. */
export function openAiStream({
  text,
  calls = [],
  refusal,
  finish,
}: {
  text?: string;
  calls?: ToolCallSketch[];
  refusal?: string;
  finish?: string;
}): string[] {
  const chunk = (delta: unknown, reason: string | null = null) =>
    sse({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'test',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...split(text ?? '').map((content) => chunk({ content })),
    ...split(refusal ?? '').map((part) => chunk({ refusal: part })),
    ...calls.flatMap(({ id, name, args }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...split(args).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    sse({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'test',
      choices: [],
      usage: {
        prompt_tokens: 50,
        completion_tokens: 7,
        total_tokens: 57,
        prompt_tokens_details: { cached_tokens: 30 },
      },
    }),
    sse('[DONE]'),
  ];
}

/** A message stream as Anthropic sends it. */
export function anthropicStream({
  text,
  thinking,
  calls = [],
  finish,
}: {
  text?: string;
  thinking?: string;
  calls?: ToolCallSketch[];
  finish?: string;
}): string[] {
  let index = -1;
  const event = (type: string, rest: object) => sse({ type, ...rest }, type);
  const block = (content_block: object, deltas: object[]) => {
    index += 1;
    return [
      event('content_block_start', { index, content_block }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ];
  };
  return [
    event('message_start', {
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'test',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 40, output_tokens: 1 },
      },
    }),
    ...(thinking === undefined
      ? []
      : block({ type: 'thinking', thinking: '', signature: '' }, [
          { type: 'thinking_delta', thinking },
          { type: 'signature_delta', signature: 'sig-1' },
        ])),
    ...(text === undefined
      ? []
      : block(
          { type: 'text', text: '' },
          split(text).map((part) => ({ type: 'text_delta', text: part })),
        )),
    ...calls.flatMap(({ id, name, args }) =>
      block(
        { type: 'tool_use', id, name, input: {} },
        split(args).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
    ),
    event('message_delta', {
      delta: { stop_reason: finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn'), stop_sequence: null },
      usage: { output_tokens: 9 },
    }),
    event('message_stop', {}),
  ];
}
