import { inspect } from 'node:util';
import type * as z from 'zod';
import type { Client } from '../client/client.js';
import { invalidValue, parseList } from '../config/options.js';
import { raceAbort } from '../deadline.js';
import { hooksOfCalls, NO_HOOKS, type Hooks } from '../hooks/hook.js';
import { mergeRunOptions, type RunOptions } from '../invocation/run-options.js';
import type { MessagesInput, RedactedMessage } from '../messages/message.js';
import {
  createPrivateDataMap,
  mergePrivateData,
  listPrivateValues,
  type PrivateDataInput,
  type PrivateDataMap,
} from '../privacy/private-data-map.js';
import type { NamedValue } from '../privacy/private-values.js';
import { previewRedaction, type RedactionPreview } from '../privacy/redact-messages.js';
import { createAtSchedule } from '../scheduling/schedule/at-schedule.js';
import { createCronSchedule, type CronOptions } from '../scheduling/schedule/cron-schedule.js';
import { createIntervalSchedule, type IntervalOptions } from '../scheduling/schedule/interval-schedule.js';
import type { AgentRun } from '../session/agent-run.js';
import type { InvokeResponse } from '../session/invoke-response.js';
import type { SessionSetup } from '../session/session-setup.js';
import { collectToolset, type ToolsetFilters } from '../tools/declaration/collect-toolset.js';
import type { DefineTool } from '../tools/declaration/define-tool.js';
import type { ModelToolOptions } from '../tools/declaration/model-tool.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { ToolOverride } from '../tools/declaration/tool-override.js';
import { listToolsOf } from '../tools/tool-source.js';
import { askedPrivateData } from './asked-private-data.js';
import { parseBatch, runBatch, settleBatch, type BatchOptions } from './batch.js';
import { parsePreviewOptions, type PreviewOptions } from './preview-options.js';
import { createToolify, registerTool } from './register-tool.js';
import { RunStarter, type ReadResponses, type RunInput, type Runs } from './run-starter.js';
import { ScopeJobs, type ScopeSchedule } from './scope-jobs.js';
import { askingTools, clientOfRuns, listAllTools, ownPrivateData, prepareRun } from './scope-internals.js';
import type { ToolInput } from './scope-options.js';
import type { ScopeState } from './scope-state.js';
import { structuredRuns, type StructuredOutput } from './structured-output.js';

/** The common base of agents and swarms: tools, private data and runs. */
export abstract class BaseScope implements AsyncDisposable {
  readonly #state: ScopeState;
  readonly #starter: RunStarter;
  readonly #jobs = new ScopeJobs({
    invoke: async (messages, options) => this.invoke(messages, options),
    check: (messages, options) => void this.#starter.parse({ messages, options }),
    refuseClosed: () => this.#starter.refuseClosed(),
  });

  /** Declares a tool and registers it. */
  readonly toolify: DefineTool;

  /**
   * Returns every private value to hide from readers, including those of a swarm's members and of runs. It can be passed on
   * unbound: `new EventBridge(id, { audience: 'frontend_safe', privateValues: agent.privateValues })`.
   */
  readonly privateValues = (): readonly NamedValue[] => [
    ...this[ownPrivateData]().flatMap(listPrivateValues),
    ...this.#starter.recentValues(),
  ];

  protected constructor(state: ScopeState, tools: readonly ToolInput[] | undefined) {
    this.#state = state;
    this.#starter = new RunStarter(state, {
      requireClient: () => this[clientOfRuns](),
      prepareRun: async (input) => this[prepareRun](input),
      ownPrivateData: () => this[ownPrivateData](),
      namedPrivateData: () => this.#namedPrivateData(),
    });
    this.toolify = createToolify(state.registry);
    for (const tool of parseList(tools, 'tools', `The ${state.type} '${state.name}'`)) this.addTool(tool);
  }

  /** The stable id, sent with requests. */
  get id(): string {
    return this.#state.id;
  }

  /** The name by which other agents and swarms refer to it. */
  get name(): string {
    return this.#state.name;
  }

  /** What it is for; shown to planners of swarms and to MCP clients. */
  get description(): string | undefined {
    return this.#state.description;
  }

  /** The system prompt, sent before the messages of a run unless they contain a system message. */
  get systemPrompt(): string | undefined {
    return this.#state.systemPrompt;
  }

  /** The private values by name. Printing it shows only the names. */
  get privateData(): PrivateDataMap {
    return this.#state.privateData;
  }

  set privateData(values: PrivateDataInput) {
    this.#state.privateData = createPrivateDataMap(values, this.#state.privateData);
  }

  /** The runs that have not ended, for another request that knows a run's id. */
  get runs(): Runs {
    return this.#starter.runs;
  }

  /**
   * Adds a tool, a schema as a model tool, or a source of tools. An override changes how a tool or a schema is
   * registered; a schema also accepts options.
   */
  addTool(tool: ToolInput, override?: ToolOverride): this;
  addTool(schema: z.ZodObject, options?: ToolOverride | ModelToolOptions): this;
  addTool(tool: ToolInput, options?: ToolOverride | ModelToolOptions): this {
    registerTool(this.#state, { tool, change: options });
    return this;
  }

  /** Adds the `@toolify` methods of an instance of a `@toolset` class. */
  addToolset(instance: object, filters?: ToolsetFilters): this {
    this.#state.registry.addAll(
      collectToolset(instance, filters).map(({ tool, method }) => ({ tool, origins: [method] })),
    );
    return this;
  }

  /**
   * Returns the tools in the order of their registration, without those of sources, which are listed when a run first
   * needs them.
   */
  listTools(): readonly Tool[] {
    return this.#state.registry.list();
  }

  /** Calls a listener whenever tools are added; returns a function that removes it. Its errors are uncaught. */
  onToolsAdded(listener: () => void): () => void {
    if (typeof listener !== 'function')
      throw invalidValue('onToolsAdded', 'listener', 'a function', listener);
    return this.#state.registry.onAdded(listener);
  }

  /** Returns the tool with that name, if it is registered. */
  getTool(name: string): Tool | undefined {
    return this.#state.registry.get(name);
  }

  /**
   * Creates a run that can be iterated over for its events. It starts when it is first iterated or its `response` is
   * awaited.
   */
  stream(messages: MessagesInput, options: RunOptions = {}): AgentRun {
    return this.#create(messages, options, 'stream');
  }

  /** Runs to the end and resolves to the response. A run that did not complete rejects with a `RunFailedError`. */
  async invoke(messages: MessagesInput, options: RunOptions = {}): Promise<InvokeResponse> {
    return this.#create(messages, options, 'invoke').response;
  }

  /**
   * Runs many inputs with limited concurrency and resolves to their responses, in order. With `settle`, it resolves to
   * how each run settled.
   */
  batch(
    inputs: readonly MessagesInput[],
    options: BatchOptions & { settle: true },
  ): Promise<PromiseSettledResult<InvokeResponse>[]>;
  batch(
    inputs: readonly MessagesInput[],
    options?: BatchOptions & { settle?: false | undefined },
  ): Promise<InvokeResponse[]>;
  batch(
    inputs: readonly MessagesInput[],
    options: BatchOptions,
  ): Promise<PromiseSettledResult<InvokeResponse>[] | InvokeResponse[]>;
  async batch(
    inputs: readonly MessagesInput[],
    batchOptions?: BatchOptions,
  ): Promise<PromiseSettledResult<InvokeResponse>[] | InvokeResponse[]> {
    const { type, name, runOptions } = this.#state;
    const { settle, options, bounds } = parseBatch(inputs, batchOptions, `A batch of the ${type} '${name}'`);
    // Without inputs, no run would validate the options.
    mergeRunOptions(runOptions, options, `a batch of the ${type} '${name}'`);
    const run = async (messages: MessagesInput, signal: AbortSignal) =>
      this.invoke(messages, { ...options, signal });
    return settle ? settleBatch(inputs, bounds, run) : runBatch(inputs, bounds, run);
  }

  /** Returns runs with structured output: their `result` is validated against the schema and typed by it. */
  structuredOutput<Schema extends z.ZodObject>(schema: Schema): StructuredOutput<z.output<Schema>> {
    return structuredRuns(schema, this.#state.registry, this.#starter);
  }

  /**
   * Schedules runs by a cron expression: minute, hour, day of month, month, day of week, and optionally seconds as the
   * last field.
   */
  cron(expression: string, options: CronOptions = {}): ScopeSchedule {
    return this.#jobs.build(createCronSchedule(expression, options));
  }

  /** Schedules runs at a fixed interval in milliseconds; the first one starts one interval after the job. */
  every(intervalMs: number, options: IntervalOptions = {}): ScopeSchedule {
    return this.#jobs.build(createIntervalSchedule(intervalMs, options));
  }

  /** Schedules one run. A moment that has passed when the job starts counts as missed. */
  at(moment: Date): ScopeSchedule {
    return this.#jobs.build(createAtSchedule(moment));
  }

  /**
   * Returns a message with personal data as it is redacted; only the numbers in placeholders differ in a run with a
   * conversation or memory. What is sent has placeholders in its other fields too, such as the URL of a block, and for
   * private data that was replaced. Nothing leaves the process and nothing changes.
   */
  previewRedaction(message: RedactedMessage, options?: PreviewOptions): RedactionPreview {
    const { knownPiiValues, piiWhitelist, privateData: added } = parsePreviewOptions(options);
    return previewRedaction(message, {
      privateData: mergePrivateData([...this.#namedPrivateData(), added]),
      knownPiiValues,
      piiWhitelist: piiWhitelist ?? this.#state.runOptions.piiWhitelist,
    });
  }

  /**
   * Stops the jobs, cancels the active runs and releases the resources; a client passed in stays open. Further runs and
   * jobs are refused with `RUN_SCOPE_CLOSED`. Waits at most 15 seconds for an orchestrator that does not answer, and 30
   * seconds for an after-hook or a job that does not end. The first error of a source is thrown once all are closed.
   * Closing twice is safe.
   */
  async close(): Promise<void> {
    const ended = await Promise.allSettled([this.#jobs.close(), this.#starter.close()]);
    const closed = await Promise.allSettled(this.#state.sources.map(async (source) => source.close()));
    for (const outcome of [...ended, ...closed]) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  [inspect.custom](): string {
    return `${this.constructor.name} { name: ${inspect(this.name)}, id: '${this.id}' }`;
  }

  /** Returns the id, name and description. */
  toJSON(): Record<string, unknown> {
    const { id, name, description } = this;
    return { id, name, description };
  }

  #create(messages: MessagesInput, options: RunOptions, deliveryMode: 'invoke' | 'stream'): AgentRun {
    const read = async ([response]: ReadResponses) => response;
    return this.#starter.create({ messages, options, deliveryMode, structuredOutput: undefined, read });
  }

  /** @internal The scope's own tools with those of its sources, which connect now if they have not yet. */
  protected async [listAllTools](signal: AbortSignal): Promise<readonly Tool[]> {
    // Every run that uses the scope begins here: its own, a swarm's, and one with a tool that depends on it.
    this.#starter.refuseClosed();
    const { registry, sources } = this.#state;
    const listing = Promise.all(sources.map(async (source) => listToolsOf(source, signal)));
    const listed = await raceAbort(listing, signal);
    return [...registry.list(), ...listed.flat()];
  }

  /** @internal */
  get [hooksOfCalls](): Hooks {
    const { hooks, hookMode } = this.#state;
    return hookMode === 'tool' ? hooks : NO_HOOKS;
  }

  /** @internal */
  protected [ownPrivateData](): readonly PrivateDataMap[] {
    return [this.#state.privateData];
  }

  /** The private data of the scope, its members, and the agents that a tool depends on. */
  #namedPrivateData(): readonly PrivateDataMap[] {
    return [...this[ownPrivateData](), ...askedPrivateData(this[askingTools]())].toReversed();
  }

  /** @internal The tools that may depend on agents besides the members. */
  protected [askingTools](): readonly Tool[] {
    return this.listTools();
  }

  /** @internal */
  protected abstract [clientOfRuns](): Client;
  /** @internal */
  protected abstract [prepareRun](input: RunInput): Promise<SessionSetup>;
}
