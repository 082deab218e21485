import type { ServerResponse } from 'node:http';
import { encodeFrame } from '@svc/contracts/sse';
import type { SessionRequest } from '@svc/contracts/orchestrator';

/** The result that the SDK posted for a call. */
export type ScriptedAnswer =
  | { readonly status: 'ok'; readonly result: unknown }
  | {
      readonly status: 'error';
      readonly error: { readonly code: string; readonly message: string; readonly retryable?: boolean };
    };

interface SentEvent {
  readonly id: string;
  readonly frame: string;
}

/** A session of a scripted orchestrator: the script sends events and receives what the SDK posts. */
export class ScriptedSession {
  /** The id of the session. */
  readonly sessionId: string;
  /** The SDK's start request. */
  readonly state: SessionRequest;
  readonly threadId: string | undefined;
  /** Aborts when the SDK cancels the session. */
  readonly signal: AbortSignal;

  readonly #cancel = new AbortController();
  readonly #sent: SentEvent[] = [];
  readonly #readers = new Set<ServerResponse>();
  readonly #waiting = new Map<string, ((value: unknown) => void)[]>();
  readonly #postedValues = new Map<string, unknown>();
  #calls = 0;
  #isOver = false;
  #dropNext: ((reader: ServerResponse) => void) | undefined;

  /** @internal */
  constructor(sessionId: string, state: SessionRequest, threadId: string | undefined) {
    this.sessionId = sessionId;
    this.state = state;
    this.threadId = threadId;
    this.signal = this.#cancel.signal;
  }

  /** Sends any event. Its id in the stream is a counter by default; `null` sends the event without one. */
  send(
    name: string,
    payload: Readonly<Record<string, unknown>> = {},
    { id }: { id?: string | null } = {},
  ): void {
    const eventId = id === undefined ? String(this.#sent.length + 1) : id;
    const data = JSON.stringify(payload);
    const frame = encodeFrame(eventId === null ? { event: name, data } : { id: eventId, event: name, data });
    this.sendRaw(frame, eventId ?? '');
  }

  /** Sends text unchanged, to simulate a broken server. */
  sendRaw(frame: string, id = ''): void {
    this.#sent.push({ id, frame });
    for (const reader of this.#readers) reader.write(frame);
  }

  /** Streams the text of the answer; pass all of it so far. */
  say(text: string): void {
    this.send('update', { streaming_content: text, assistant_id: 'assistant' });
  }

  /** Calls a tool by its name and waits for the posted result. `id` is the id of the tool event. */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    id = this.#nextId(),
  ): Promise<ScriptedAnswer> {
    this.send('tool_event', {
      id,
      value: { tool_call: { tool_id: this.#toolId(name), tool_name: name, args } },
    });
    return readAnswer(await this.posted(id));
  }

  /** Calls several tools in one event and waits for all results, in order. A failed call's result is `{error: {...}}`. */
  async callTools(
    calls: readonly { name: string; args?: Readonly<Record<string, unknown>> }[],
    id = this.#nextId(),
  ): Promise<unknown[]> {
    const toolCalls = calls.map(({ name, args = {} }) => ({
      tool_id: this.#toolId(name),
      tool_name: name,
      args,
    }));
    this.send('tool_event', { id, value: { tool_calls: toolCalls } });
    const answer = readAnswer(await this.posted(id));
    const result = answer.status === 'ok' ? answer.result : undefined;
    return typeof result === 'object' &&
      result !== null &&
      'results' in result &&
      Array.isArray(result.results)
      ? result.results
      : [];
  }

  /** Asks a person and waits for the answer. */
  async ask(question: { dataKey: string; prompt: string; [field: string]: unknown }): Promise<unknown> {
    const { dataKey, prompt, ...fields } = question;
    const id = `checkpoint-${this.#nextId()}`;
    this.send('interrupt_required', { checkpoint_id: id, data_key: dataKey, prompt, ...fields });
    return this.posted(id);
  }

  /** Waits for the value posted under the id of a tool event or a checkpoint. */
  async posted(id: string): Promise<unknown> {
    if (this.#postedValues.has(id)) return this.#postedValues.get(id);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), resolve]);
    return promise;
  }

  /** Completes the session. */
  finish(final: Readonly<Record<string, unknown>> = {}): void {
    this.#end({ session_id: this.sessionId, status: 'completed', responses: [], result: null, ...final });
  }

  /** Ends the session with status `failed`. */
  fail(message: string, code = 'SCRIPTED_FAILURE'): void {
    this.#endWithError('failed', code, message);
  }

  /**
   * Breaks the connection that reads the events, or the next one; the SDK reconnects and resumes after the last event
   * that it received.
   */
  cut(): void {
    this.#drop((reader) => reader.destroy());
  }

  /** Ends the connection that reads the events, or the next one, without a `final`. */
  hangUp(): void {
    this.#drop((reader) => reader.end());
  }

  #drop(drop: (reader: ServerResponse) => void): void {
    if (this.#readers.size === 0) this.#dropNext = drop;
    for (const reader of this.#readers) drop(reader);
    this.#readers.clear();
  }

  /** @internal Attaches a connection that reads the events after `lastEventId`. */
  attach(response: ServerResponse, lastEventId: string | undefined): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    const seen = lastEventId === undefined ? -1 : this.#sent.findIndex(({ id }) => id === lastEventId);
    for (const { frame } of this.#sent.slice(seen + 1)) response.write(frame);
    const drop = this.#dropNext;
    this.#dropNext = undefined;
    // The callback of an empty write runs after earlier writes.
    if (drop) response.write('', () => drop(response));
    else if (this.#isOver) response.end();
    else this.#readers.add(response);
    response.on('close', () => this.#readers.delete(response));
  }

  /** @internal Accepts a value posted under an id; a repeated post has no effect. */
  take(id: string, value: unknown): boolean {
    if (this.#postedValues.has(id)) return false;
    this.#postedValues.set(id, value);
    for (const resolve of this.#waiting.get(id) ?? []) resolve(value);
    return true;
  }

  /** @internal */
  cancelled(message = 'The session was cancelled.'): void {
    this.#cancel.abort();
    if (this.#isOver) return;
    this.#endWithError('cancelled', 'RUN_CANCELLED', message);
  }

  #endWithError(status: string, code: string, message: string): void {
    const error = { error: message, error_info: { code, message } };
    this.#end({ session_id: this.sessionId, status, responses: [], ...error });
  }

  #end(final: Readonly<Record<string, unknown>>): void {
    this.#isOver = true;
    this.send('final', final);
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  #nextId(): string {
    this.#calls += 1;
    return `${this.sessionId}-call-${this.#calls}`;
  }

  #toolId(name: string): string {
    return this.state.tools.find((tool) => tool.name === name)?.tool_id ?? name;
  }
}

function readAnswer(value: unknown): ScriptedAnswer {
  if (typeof value === 'object' && value !== null && 'status' in value) {
    if (value.status === 'error' && 'error' in value)
      return { status: 'error', error: readError(value.error) };
    if (value.status === 'ok') return { status: 'ok', result: 'result' in value ? value.result : undefined };
  }
  throw new TypeError('The SDK posted something other than a tool result.');
}

function readError(error: unknown): Extract<ScriptedAnswer, { status: 'error' }>['error'] {
  const fields = typeof error === 'object' && error !== null ? { ...error } : {};
  const {
    code = '',
    message = '',
    ...rest
  }: { code?: unknown; message?: unknown; retryable?: unknown } = fields;
  return { ...rest, code: String(code), message: String(message), retryable: rest.retryable === true };
}
