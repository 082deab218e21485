import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StartSessionRequestSchema } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { Client, type ClientOptions, type ClientPorts } from '../client/client.js';
import { invalidValue, refuseUnknownOptions } from '../config/options.js';
import { isRecord } from '../is-record.js';
import { messageOf } from '../message-of.js';
import { ScriptedSession } from './scripted-session.js';

/**
 * The behaviour of the orchestrator in a session. Nested sessions of a swarm run the same script; tell them apart by
 * `session.state`.
 */
export type Script = (session: ScriptedSession) => Promise<void> | void;

/** An event of a recording, as the orchestrator sent it. */
export interface RecordedEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A request that the SDK sent. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The JSON body; `undefined` without one. */
  readonly body: unknown;
}

/** A response that replaces the orchestrator's own. */
export interface ReplacedAnswer {
  /** The HTTP status code. */
  readonly status: number;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** The body as text, sent unchanged instead of `body`. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of {@link startScriptedOrchestrator}. */
export interface ScriptedOrchestratorOptions {
  /** Responds to a request instead of the orchestrator, for example to refuse it; `undefined` passes it on. */
  intercept?:
    | ((request: RecordedRequest) => ReplacedAnswer | undefined | Promise<ReplacedAnswer | undefined>)
    | undefined;
}

/** The API key of a scripted orchestrator's clients. */
export const SCRIPTED_API_KEY = 'scripted-orchestrator-key';

/** An orchestrator in this process that follows a script. It listens on the loopback address. */
export class ScriptedOrchestrator implements AsyncDisposable {
  /** The received requests, in order. */
  readonly requests: RecordedRequest[] = [];
  /** The sessions by id, in the order in which they were started. */
  readonly sessions = new Map<string, ScriptedSession>();
  /** Errors thrown by the script; `close()` throws the first. */
  readonly scriptErrors: unknown[] = [];
  readonly #script: Script;
  readonly #intercept: NonNullable<ScriptedOrchestratorOptions['intercept']>;
  readonly #server: Server;
  readonly #clients: Client[] = [];
  /** The sessions by the `Idempotency-Key` of their start, so that a repeated start does not open a second one. */
  readonly #started = new Map<string, ScriptedSession>();
  #url = '';

  /** @internal Use {@link startScriptedOrchestrator}. */
  constructor(script: Script, { intercept }: ScriptedOrchestratorOptions) {
    this.#script = script;
    this.#intercept = intercept ?? (() => undefined);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        this.scriptErrors.push(error);
        response.destroy();
      });
    });
  }

  /** The address of the orchestrator, for `baseUrl`. */
  get url(): string {
    return this.#url;
  }

  /** Creates a client of the orchestrator, which is closed with it. */
  client(options: ClientOptions = {}, ports?: ClientPorts): Client {
    const client = new Client({ baseUrl: this.#url, apiKey: SCRIPTED_API_KEY, ...options }, ports);
    this.#clients.push(client);
    return client;
  }

  /** @internal */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
    this.#url = `http://127.0.0.1:${address.port}`;
  }

  /** Closes the server and its clients, and throws the first error of the script. Closing twice is safe. */
  async close(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const [error] = this.scriptErrors.splice(0);
    if (error !== undefined) throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await readRequest(request);
    this.requests.push(recorded);
    const replaced = await this.#intercept(recorded);
    if (replaced) {
      response.writeHead(replaced.status, { 'content-type': 'application/json', ...replaced.headers });
      response.end(replaced.text ?? (replaced.body === undefined ? '' : JSON.stringify(replaced.body)));
      return;
    }
    const [, first = '', id = '', action] = recorded.path.split('/');
    const session = this.sessions.get(decodeURIComponent(id));
    if (recorded.path === '/start-session') this.#startSession(recorded, response);
    else if (recorded.path.startsWith('/api/v1/checkpoints/')) this.#answerCheckpoint(recorded, response);
    else if (first !== 'sessions' || !session)
      sendJson(response, 404, { code: 'NOT_FOUND', message: 'Not found.' });
    else if (recorded.method === 'DELETE') {
      session.cancelled(CancelSchema.parse(recorded.body)?.reason ?? undefined);
      sendJson(response, 200, {});
    } else if (action === 'events') session.attach(response, readHeader(recorded, 'last-event-id'));
    else sendJson(response, 200, takeResult(session, recorded.body));
  }

  #startSession(request: RecordedRequest, response: ServerResponse): void {
    const key = readHeader(request, 'idempotency-key') ?? `start-${this.requests.length}`;
    const known = this.#started.get(key);
    const session = known ?? this.#openSession(request);
    this.#started.set(key, session);
    const { sessionId: id } = session;
    sendJson(response, 200, {
      session_id: id,
      events_url: `${this.#url}/sessions/${id}/events`,
      resume_url: `${this.#url}/sessions/${id}/resume`,
    });
    if (known) return;
    const run = async () => this.#script(session);
    run().catch((error: unknown) => {
      this.scriptErrors.push(error);
      session.fail(messageOf(error), 'SCRIPT_ERROR');
    });
  }

  #openSession({ body }: RecordedRequest): ScriptedSession {
    const { state, thread_id: threadId } = StartSessionRequestSchema.parse(body);
    const id = `session-${this.sessions.size + 1}`;
    const session = new ScriptedSession(id, state, threadId ?? undefined);
    this.sessions.set(id, session);
    return session;
  }

  #answerCheckpoint({ path, body }: RecordedRequest, response: ServerResponse): void {
    const id = decodeURIComponent(path.split('/')[4] ?? '');
    const owner = [...this.sessions.values()].find(({ sessionId }) => id.includes(`${sessionId}-call-`));
    const data = isRecord(body) && isRecord(body['interrupt_data']) ? body['interrupt_data'] : {};
    owner?.take(id, Object.values(data)[0]);
    if (owner) sendJson(response, 200, { session_id: owner.sessionId });
    else sendJson(response, 404, { code: 'NOT_FOUND', message: 'Checkpoint not found.' });
  }
}

/** Starts an orchestrator that follows a script or replays recorded events. Close it, or declare it with `await using`. */
export async function startScriptedOrchestrator(
  script: Script | readonly RecordedEvent[],
  options?: ScriptedOrchestratorOptions,
): Promise<ScriptedOrchestrator> {
  const owner = 'startScriptedOrchestrator';
  refuseUnknownOptions(options ?? {}, ['intercept'], owner);
  const intercept = options?.intercept ?? null;
  if (intercept !== null && typeof intercept !== 'function')
    throw invalidValue(owner, 'intercept', 'a function', intercept);
  if (typeof script !== 'function' && !Array.isArray(script))
    throw invalidValue(owner, 'script', 'a function or an array of events', script);
  const orchestrator = new ScriptedOrchestrator(
    typeof script === 'function' ? script : replay(script),
    options ?? {},
  );
  await orchestrator.listen();
  return orchestrator;
}

/** Replays recorded events; after a tool call it waits for the result before it continues. */
function replay(events: readonly RecordedEvent[]): Script {
  return async (session) => {
    for (const { name, payload } of events) {
      session.send(name, payload);
      const isCall = name === 'tool_event' && payload['contract_version'] === undefined;
      if (isCall && typeof payload['id'] === 'string') await session.posted(payload['id']);
    }
    session.hangUp();
  };
}

const CancelSchema = z.looseObject({ reason: z.string().nullish() }).optional();

function takeResult(session: ScriptedSession, body: unknown): { accepted: boolean; reason?: string } {
  const value = isRecord(body) ? body['value'] : undefined;
  const id = isRecord(value) ? (value['tool_event_id'] ?? Object.keys(value)[0]) : undefined;
  if (typeof id !== 'string') return { accepted: false, reason: 'unknown' };
  return session.take(id, value) ? { accepted: true } : { accepted: false, reason: 'duplicate' };
}

async function readRequest(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) };
}

function readHeader({ headers }: RecordedRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
