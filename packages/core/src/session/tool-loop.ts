import { ToolEventPayloadSchema, type ToolCall, type ToolEventPayload } from '@svc/contracts/orchestrator';
import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { buildToolEvent } from '../compile/tool-event.js';
import type { CallOutcome } from '../dependencies/call-book.js';
import type { PlannedTool } from '../dependencies/planned-tool.js';
import { plannerArguments } from '../dependencies/planner-arguments.js';
import type { CallFailure } from '../tools/execution/describe-failure.js';
import { CallExecutor, type CallHost, type OpenedCall } from './execute-call.js';

/** The body of a posted result, in the protocol's form. */
type ResultValue = Readonly<Record<string, unknown>>;

/**
 * How many calls of a session are kept, with their outcomes: each may be repeated, and later ones may depend on it. An
 * orchestrator that asks for more is in an endless loop.
 */
const MAX_CALLS = 10_000;

/** Handles a session's tool events: runs the requested calls and posts every outcome under its event's id. */
export class ToolLoop {
  readonly #host: CallHost;
  readonly #executor: CallExecutor;
  readonly #post: (value: ResultValue) => Promise<void>;
  /** The posted results by event id, so that a repeated event does not run anything again. At most {@link MAX_CALLS}. */
  readonly #handled = new Map<string, { value: ResultValue | undefined }>();
  /** How many calls were requested; an event without calls counts as one. */
  #calls = 0;
  readonly #fail: (error: unknown) => void;

  /** `post` sends a result and never rejects; `fail` receives all other errors. */
  constructor(
    host: CallHost,
    options: { post: (value: ResultValue) => Promise<void>; fail: (error: unknown) => void },
  ) {
    this.#host = host;
    this.#executor = new CallExecutor(host);
    this.#fail = options.fail;
    this.#post = options.post;
  }

  /** Starts the calls of a tool event. Returns at once, so that reading the stream continues. */
  handle(payload: unknown): void {
    void this.#answer(payload).catch(this.#fail);
  }

  async #answer(payload: unknown): Promise<void> {
    const parsed = ToolEventPayloadSchema.safeParse(payload);
    const id = parsed.success ? parsed.data.id : readId(payload);
    if (id === undefined) {
      this.#host.context.logger.warn('Skipped a tool event without an id, which cannot be answered.');
      return;
    }
    const known = this.#handled.get(id);
    if (known) {
      if (known.value) await this.#post(known.value);
      return;
    }
    this.#calls += (parsed.success && parsed.data.value.tool_calls?.length) || 1;
    if (this.#calls > MAX_CALLS) throw tooManyCalls();
    const entry: { value: ResultValue | undefined } = { value: undefined };
    this.#handled.set(id, entry);
    const value = parsed.success
      ? await this.#run(id, parsed.data.value)
      : failed(id, { code: 'TOOL_INVALID_EVENT', message: 'The tool event is invalid.' });
    entry.value = value;
    if (!this.#host.context.workSignal.aborted) await this.#post(value);
  }

  async #run(id: string, value: ToolEventPayload['value']): Promise<ResultValue> {
    if (value.tool_calls && value.tool_calls.length > 0) return this.#runBatch(id, value.tool_calls);
    if (value.barrier) return { tool_event_id: id, status: 'ok', result: 'ok' };
    if (value.tool_call) {
      const outcome = await this.#start(id, id, value.tool_call);
      return outcome.ok
        ? { tool_event_id: id, status: 'ok', result: outcome.json }
        : failed(id, outcome.failure);
    }
    return failed(id, {
      code: 'TOOL_INVALID_EVENT',
      message: 'The tool event contains no call that this SDK supports.',
    });
  }

  /**
   * Opens every call of a batch before any runs, so that they find one another; a failed call does not affect the
   * others.
   */
  async #runBatch(id: string, calls: readonly ToolCall[]): Promise<ResultValue> {
    const outcomes = await Promise.all(calls.map((call, index) => this.#start(id, `${id}:${index}`, call)));
    const results = outcomes.map((outcome) => (outcome.ok ? outcome.json : { error: outcome.failure }));
    const statuses = outcomes.map((outcome) => (outcome.ok ? 'ok' : 'error'));
    return { tool_event_id: id, status: 'ok', result: { results, statuses } };
  }

  #start(eventId: string, callId: string, request: ToolCall): Promise<CallOutcome> {
    const planned = this.#find(request.tool_id);
    if (!planned) return this.#refuse(callId, request);
    const { source, tool } = planned;
    const args = plannerArguments(request.args, tool.inject);
    const opened = this.#host.book.open({ id: callId, eventId, toolName: tool.name, source, args });
    return this.#executor.run({ planned, ...opened } satisfies OpenedCall);
  }

  /** Finds a tool by its id or its name, and an agent's tool also by the agent's id. */
  #find(reference: string): PlannedTool | undefined {
    const { planned, agents } = this.#host.setup;
    const byName = planned.get(reference);
    if (byName) return byName;
    for (const entry of planned.values()) {
      if (entry.tool.id === reference || agents.get(entry.tool.name)?.agentId === reference) return entry;
    }
    return undefined;
  }

  async #refuse(id: string, request: ToolCall): Promise<CallOutcome> {
    const { context, setup } = this.#host;
    const toolName = request.tool_name ?? request.tool_id;
    const message = `Unknown tool '${toolName}'. Known tools: ${[...setup.planned.keys()].join(', ') || '(none)'}.`;
    const { origin } = setup;
    const event = {
      id,
      toolName,
      toolType: 'func',
      status: 'failed',
      args: context.privateValues.cleanFields(request.args),
      error: message,
      origin,
    } as const;
    await context.emit(buildToolEvent(event));
    return { ok: false, failure: { code: 'TOOL_UNKNOWN', message } };
  }
}

function tooManyCalls(): MaivnSDKError {
  return new MaivnSDKError(
    `The orchestrator asked for more than ${MAX_CALLS} calls in one session. Split the work into several runs.`,
    { code: 'RUN_TOO_MANY_CALLS', details: { max_calls: MAX_CALLS } },
  );
}

function failed(id: string, error: CallFailure): ResultValue {
  return { tool_event_id: id, status: 'error', error };
}

function readId(payload: unknown): string | undefined {
  const id = typeof payload === 'object' && payload !== null && 'id' in payload ? payload.id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
