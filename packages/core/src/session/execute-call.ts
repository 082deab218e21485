import { buildToolEvent, type ToolEventParts } from '../compile/tool-event.js';
import { withDeadline } from '../deadline.js';
import type { Call, CallBook, CallOutcome } from '../dependencies/call-book.js';
import { checkReferences } from '../dependencies/check-references.js';
import { dependencyTimeout } from '../dependencies/errors.js';
import type { PlannedTool } from '../dependencies/planned-tool.js';
import { resolveArguments } from '../dependencies/resolve-arguments.js';
import { waitTurn } from '../dependencies/wait-turn.js';
import { withCleanLog } from '../logging/log-scope.js';
import type { Injection, InterruptInjection } from '../tools/references/injection.js';
import { logFailedCall } from '../tools/execution/log-failed-call.js';
import { checkInput, runTool } from '../tools/execution/run-tool.js';
import { serializeResult } from '../tools/execution/serialize-result.js';
import { askForCall } from './ask-person.js';
import type { CollectedAnswers } from './collected-answers.js';
import { describeCallFailure } from './describe-call-failure.js';
import { ReceiptBook } from './receipt-book.js';
import type { RunContext } from './run-context.js';
import { withToolHooks } from './tool-hooks.js';
import type { SessionSetup } from './session-setup.js';
import { createToolContext } from './tool-context.js';

/** The session of the executed calls. */
export interface CallHost {
  readonly context: RunContext;
  readonly setup: SessionSetup;
  /** The orchestrator's id of the session, or of the one in which it continues. */
  readonly sessionId: string;
  readonly book: CallBook;
  readonly collected: CollectedAnswers;
}

/** A call in the book, and the function that settles it. */
export interface OpenedCall {
  readonly planned: PlannedTool;
  readonly call: Call;
  readonly settle: (outcome: CallOutcome) => void;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Runs the calls of one session, each through the same steps, and emits events for every invocation. */
export class CallExecutor {
  readonly #host: CallHost;
  readonly #receipts: ReceiptBook;

  constructor(host: CallHost) {
    this.#host = host;
    this.#receipts = new ReceiptBook(host.context, host.sessionId);
  }

  /**
   * Runs an opened call to its end, settles it and emits its events. Log lines written meanwhile are cleaned. Never
   * rejects.
   */
  async run(opened: OpenedCall): Promise<CallOutcome> {
    const { privateValues } = this.#host.context;
    return withCleanLog(
      (fields) => privateValues.cleanFields(fields),
      async () => this.#run(opened),
    );
  }

  async #run({ planned, call, settle }: OpenedCall): Promise<CallOutcome> {
    const { runtime } = this.#host.context;
    const startedAt = runtime.monotonicMs();
    await this.#show(planned, call, { status: 'executing' });
    const outcome = await this.#receipts.keep(planned.tool, call, (begin) =>
      this.#attempt(planned, call, begin),
    );
    settle(outcome);
    const elapsedMs = Math.round(runtime.monotonicMs() - startedAt);
    await this.#show(planned, call, { ...shownOutcome(outcome), elapsedMs });
    return outcome;
  }

  /** Attempts a call; any error becomes its outcome. */
  async #attempt(planned: PlannedTool, call: Call, begin: () => Promise<void>): Promise<CallOutcome> {
    const { context } = this.#host;
    try {
      const value = await this.#perform(planned, call, begin);
      const json = serializeResult(value, planned.tool.name, planned.tool.maxResultBytes);
      return { ok: true, value, json: context.privateValues.clean(json) };
    } catch (error) {
      const failure = describeCallFailure(error, call, context);
      const { toolName: tool, id } = call;
      const fields = { tool, code: failure.code, tool_event_id: id };
      logFailedCall(context.logger, 'A tool call failed.', fields, error);
      return { ok: false, failure };
    }
  }

  async #perform(planned: PlannedTool, call: Call, begin: () => Promise<void>): Promise<unknown> {
    const { tool } = planned;
    const { context, setup, book } = this.#host;
    const earlier = planned.waits.map((wait) => wait.tool);
    await this.#waitFor(earlier, call, async () => waitTurn(planned, call, book));
    const injected = await this.#resolve(planned, call);
    const producers = planned.references.map(({ producer }) => producer);
    await this.#waitFor(producers, call, async () => checkReferences(planned, call, book));
    // Values of redacted messages replace their placeholders only here; other private values reach a tool only by
    // injection.
    const readings = tool.kind === 'agent' ? [call.args] : context.restoreArguments(call.args);
    const { workSignal: signal, limits } = context;
    const input = { tool, readings, injected, signal, timeoutMs: limits.toolTimeoutMs };
    const args = { ...(await checkInput(input)), ...injected };
    if (tool.kind === 'agent') return this.#callAgent(planned, call, args, injected);
    return withToolHooks({ planned, call, args }, setup.hookLayers, context, async () =>
      this.#execute(planned, call, args, begin),
    );
  }

  async #execute(
    planned: PlannedTool,
    call: Call,
    args: Arguments,
    begin: () => Promise<void>,
  ): Promise<unknown> {
    const { context } = this.#host;
    return context.limit(async () => {
      context.workSignal.throwIfAborted();
      await begin();
      const over = new AbortController();
      const toolContext = createToolContext(planned, call, { ...this.#host, over: over.signal });
      const timeoutMs = context.limits.toolTimeoutMs;
      try {
        return await runTool({ tool: planned.tool, args, context: toolContext, timeoutMs });
      } finally {
        over.abort(new DOMException('The call is over.', 'AbortError'));
      }
    });
  }

  async #callAgent(planned: PlannedTool, call: Call, args: Arguments, injected: Arguments): Promise<unknown> {
    const { context, setup, book, sessionId } = this.#host;
    const agent = setup.agents.get(planned.tool.name);
    if (!agent) throw new TypeError(`The agent tool '${planned.tool.name}' has no agent.`);
    return agent.invoke({ context, book, call, args, injected, parentSessionId: sessionId });
  }

  /** Waits for calls of other tools, within the time limit of dependencies. */
  async #waitFor(names: readonly string[], call: Call, wait: () => Promise<void>): Promise<void> {
    const { workSignal: signal, limits } = this.#host.context;
    const createError = (waitedMs: number) => dependencyTimeout(call.toolName, names.join(', '), waitedMs);
    await withDeadline({ timeoutMs: limits.dependencyTimeoutMs, signal, createError }, wait);
  }

  async #resolve(planned: PlannedTool, call: Call): Promise<Arguments> {
    const { context, book } = this.#host;
    return resolveArguments(planned, call, {
      book,
      dependencyTimeoutMs: context.limits.dependencyTimeoutMs,
      signal: context.workSignal,
      keepPrivate: (name, value) => context.privateValues.add([{ name, value }]),
      ask: async (injection, argument) => this.#ask(injection, argument, call),
      latestCall: (producer) => this.#latestCall(producer),
      runProducer: (producer, injection) => this.#runProducer(producer, injection, call),
    });
  }

  async #ask(injection: InterruptInjection, argument: string, call: Call): Promise<unknown> {
    const { context, collected } = this.#host;
    const early = await collected.take(call.toolName, argument);
    if (early) return early.answer;
    const text = typeof injection.prompt === 'string' ? injection.prompt : injection.prompt(call.args);
    const prompt = context.privateValues.cleanText(text);
    return askForCall(context, call, { ...injection, name: argument, prompt });
  }

  #latestCall(producer: string): Call | undefined {
    const { setup, book } = this.#host;
    const planned = setup.planned.get(producer);
    return planned && book.latest(producer, planned.source);
  }

  /** Runs a producer that needs no arguments from the planner, once for all its consumers. */
  #runProducer(producer: string, injection: Injection, consumer: Call): Call | undefined {
    const { setup, book } = this.#host;
    const planned = setup.planned.get(producer);
    if (!planned) return undefined;
    const args = this.#ownArguments(planned, injection, consumer);
    if (!args) return undefined;
    const id = `${consumer.id}/${producer}`;
    const { call, settle } = book.open({ id, eventId: id, toolName: producer, source: planned.source, args });
    void this.run({ planned, call, settle });
    return call;
  }

  #ownArguments(planned: PlannedTool, injection: Injection, consumer: Call): Arguments | undefined {
    if (planned.tool.kind === 'agent') {
      const { context } = this.#host;
      const prompt = injection.kind === 'agent' ? injection.prompt?.(consumer.args) : undefined;
      const { defaultPrompt } = this.#host.setup;
      return { prompt: prompt === undefined ? defaultPrompt : context.privateValues.cleanText(prompt) };
    }
    const { required = [] } = planned.tool.inputSchema;
    return Array.isArray(required) && required.length === 0 ? {} : undefined;
  }

  async #show(
    planned: PlannedTool,
    call: Call,
    state: Pick<ToolEventParts, 'status' | 'result' | 'error' | 'elapsedMs'>,
  ): Promise<void> {
    const { context, setup } = this.#host;
    const { tool } = planned;
    const origin = tool.kind === 'agent' ? { ...setup.origin, agentName: tool.name } : setup.origin;
    await context.emit(
      buildToolEvent({
        id: call.id,
        toolName: tool.name,
        toolType: tool.kind,
        // The orchestrator may have come across a private value and sent it; readers must not see it.
        args: context.privateValues.cleanFields(call.args),
        origin,
        ...state,
      }),
    );
  }
}

/** How a call ended, for readers. A call that was stopped with its run has not failed. */
function shownOutcome(outcome: CallOutcome): Pick<ToolEventParts, 'status' | 'result' | 'error'> {
  if (outcome.ok) return { status: 'completed', result: outcome.json };
  const { code, message } = outcome.failure;
  return { status: code === 'TOOL_CANCELLED' ? 'cancelled' : 'failed', error: message };
}
