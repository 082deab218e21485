/* eslint-disable typescript/no-explicit-any -- tests read bodies and events of every shape */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface WireEvent {
  id: string | undefined;
  name: string;
  payload: Record<string, any>;
}

export interface WireResponse {
  status: number;
  headers: Headers;
  body: any;
}

/** A client of the protocol that uses nothing of the SDK. */
export class WireClient {
  readonly url: string;
  readonly key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<WireResponse> {
    const response = await fetch(path.startsWith('http') ? path : this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown = text;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Pages and metrics are not JSON.
    }
    return { status: response.status, headers: response.headers, body: parsed };
  }

  async start(
    state: object,
    extra: object = {},
  ): Promise<{ session_id: string; events_url: string; resume_url: string }> {
    const { status, body } = await this.request('POST', '/start-session', {
      state,
      client_id: 'test',
      ...extra,
    });
    if (status !== 200) throw new Error(`start-session answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Yields the events of a session after the cursor, until the stream ends. */
  async *events(
    eventsUrl: string,
    { cursor, signal }: { cursor?: string; signal?: AbortSignal } = {},
  ): AsyncGenerator<WireEvent> {
    const response = await fetch(eventsUrl, {
      headers: {
        authorization: `Bearer ${this.key}`,
        accept: 'text/event-stream',
        ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
      },
      ...(signal ? { signal } : {}),
    });
    if (!response.ok || !response.body)
      throw new Error(`events answered ${response.status}: ${await response.text()}`);
    const queue: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => queue.push(event) });
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      for (const event of queue.splice(0)) {
        yield { id: event.id, name: event.event ?? 'message', payload: JSON.parse(event.data) };
      }
    }
  }

  result(resumeUrl: string, toolEventId: string, result: unknown): Promise<WireResponse> {
    return this.request('POST', resumeUrl, { value: { tool_event_id: toolEventId, status: 'ok', result } });
  }

  /** Runs a whole session and answers its calls with `tools`, by name. */
  async run(
    state: object,
    tools: Tools = {},
    extra: object = {},
  ): Promise<{ events: WireEvent[]; final: Record<string, any> }> {
    const session = await this.start(state, extra);
    return this.follow(session, tools);
  }

  async follow(
    session: { events_url: string; resume_url: string },
    tools: Tools = {},
    { answers }: { answers?: (dataKey: string) => unknown } = {},
  ) {
    const events: WireEvent[] = [];
    const posts: Promise<WireResponse>[] = [];
    for await (const event of this.events(session.events_url)) {
      events.push(event);
      if (event.name === 'interrupt_required') {
        const { checkpoint_id, data_key } = event.payload;
        const interrupt_data = { [data_key]: answers?.(data_key) };
        posts.push(this.request('POST', `/api/v1/checkpoints/${checkpoint_id}/resume`, { interrupt_data }));
      }
      if (event.name !== 'tool_event') continue;
      const { tool_name, args } = event.payload['value'].tool_call;
      const tool = tools[tool_name];
      if (!tool) throw new Error(`The test has no tool ${tool_name}.`);
      posts.push(this.result(session.resume_url, event.payload['id'], await tool(args)));
    }
    const refused = (await Promise.all(posts)).filter(({ status }) => status !== 200);
    if (refused.length > 0) throw new Error(`results were refused: ${JSON.stringify(refused)}`);
    return { events, final: events.at(-1)?.payload ?? {} };
  }
}

type Tools = Record<string, (args: any) => unknown>;
