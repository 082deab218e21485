import { inspect } from 'node:util';
import type * as z from 'zod';
import type { Client } from '../client/client.js';
import { invalidOption, parseList, refuseUnknownOptions } from '../config/options.js';
import { raceAbort } from '../deadline.js';
import { mergeRunOptions, type RunOptions } from '../invocation/run-options.js';
import type { MessagesInput, RedactedMessage } from '../messages/message.js';
import { parseRedactionOptions, type RedactionOptions } from '../messages/redaction-options.js';
import {
  createPrivateDataMap,
  mergePrivateData,
  listPrivateValues,
  type PrivateDataInput,
  type PrivateDataMap,
} from '../privacy/private-data-map.js';
import type { NamedValue } from '../privacy/private-values.js';
import { previewRedaction, type RedactionPreview } from '../privacy/redact-messages.js';
import { createAtSchedule } from '../scheduling/at-schedule.js';
import { createCronSchedule, type CronOptions } from '../scheduling/cron-schedule.js';
import { createIntervalSchedule, type IntervalOptions } from '../scheduling/interval-schedule.js';
import type { AgentRun } from '../session/agent-run.js';
import type { InvokeResponse } from '../session/invoke-response.js';
import type { SessionSetup } from '../session/session-setup.js';
import { collectToolset, type ToolsetFilters } from '../tools/collect-toolset.js';
import { defineUntypedTool, type DefineTool } from '../tools/define-tool.js';
import type { ModelToolOptions } from '../tools/model-tool.js';
import type { Tool } from '../tools/tool.js';
import type { ToolOverride } from '../tools/tool-override.js';
import { listToolsOf } from '../tools/tool-source.js';
import { askedPrivateData } from './asked-private-data.js';
import { parseBatch, runBatch, settleBatch, type BatchOptions } from './batch.js';
import { registerTool } from './register-tool.js';
import { RunStarter, type ReadResponses, type RunInput } from './run-starter.js';
import { ScopeJobs, type ScopeSchedule } from './scope-jobs.js';
import type { ToolInput } from './scope-options.js';
import type { ScopeState } from './scope-state.js';
import {
  readStructured,
  requireObjectSchema,
  structuredTool,
  type StructuredOutput,
} from './structured-output.js';

/** The runs of a scope that are running. */
export interface Runs {
  /** The run of that id, while it runs. */
  get(id: string): AgentRun | undefined;
  /** How many there are. */
  readonly size: number;
}

/** What a preview takes besides the message: exceptions count where it brings none of its own. */
export interface PreviewOptions extends RedactionOptions {
  /** Private values besides the scope's. */
  privateData?: PrivateDataInput | undefined;
}

/** What agents and swarms have in common: tools, private data, and runs. */
export abstract class BaseScope implements AsyncDisposable {
  readonly #state: ScopeState;
  readonly #starter: RunStarter;
  readonly #jobs = new ScopeJobs({
    invoke: async (messages, options) => this.invoke(messages, options),
    check: (messages, options) => void this.#starter.parse({ messages, options }),
    refuseClosed: () => this.#starter.refuseClosed(),
  });

  /** Declares a tool and registers it in this scope. */
  readonly toolify: DefineTool;

  /**
   * Every private value to be kept from readers: the scope's, and those that runs brought or collected. It may be handed
   * over as it stands: `new EventBridge(id, { privateValues: agent.privateValues })`.
   */
  readonly privateValues = (): readonly NamedValue[] => [
    ...this.ownPrivateData().flatMap(listPrivateValues),
    ...this.#starter.recentValues(),
  ];

  protected constructor(state: ScopeState, tools: readonly ToolInput[] | undefined) {
    this.#state = state;
    this.#starter = new RunStarter(state, {
      requireClient: () => this.requireClient(),
      prepareRun: async (input) => this.prepareRun(input),
      ownPrivateData: () => this.ownPrivateData(),
      namedPrivateData: () => this.#namedPrivateData(),
    });
    this.toolify = registering(state.registry);
    for (const tool of parseList(tools, 'tools', `The ${state.type} '${state.name}'`)) this.addTool(tool);
  }

  /** The stable id that requests carry. */
  get id(): string {
    return this.#state.id;
  }

  /** The name, by which other agents and swarms refer to it. */
  get name(): string {
    return this.#state.name;
  }

  /** What it is for, as planners of swarms and MCP clients are told. */
  get description(): string | undefined {
    return this.#state.description;
  }

  /** Leads the messages of its runs unless they bring a system message. */
  get systemPrompt(): string | undefined {
    return this.#state.systemPrompt;
  }

  /** The private values by name. Printing it shows the names only. */
  get privateData(): PrivateDataMap {
    return this.#state.privateData;
  }

  set privateData(values: PrivateDataInput) {
    this.#state.privateData = createPrivateDataMap(values, this.#state.privateData);
  }

  /** The runs that are running, for another request that knows a run's id. */
  get runs(): Runs {
    return this.#starter.runs;
  }

  /** Adds a tool, a schema as a model tool, or a source of tools. An override changes how a tool or a schema is registered; only a schema takes options instead. */
  addTool(tool: ToolInput, override?: ToolOverride): this;
  addTool(schema: z.ZodObject, change?: ToolOverride | ModelToolOptions): this;
  addTool(tool: ToolInput, change?: ToolOverride | ModelToolOptions): this {
    registerTool(this.#state, { tool, change });
    return this;
  }

  /** Adds the `@toolify` methods of an instance of a `@toolset` class. */
  addToolset(instance: object, filters?: ToolsetFilters): this {
    this.#state.registry.addAll(
      collectToolset(instance, filters).map(({ tool, method }) => ({ tool, origins: [method] })),
    );
    return this;
  }

  /** The tools in the order of their registration; those of sources come when a run first needs them. */
  listTools(): readonly Tool[] {
    return this.#state.registry.list();
  }

  /** Calls a listener whenever tools were added, until the function that it gives back is called. What it throws is thrown where they were added. */
  onToolsAdded(listener: () => void): () => void {
    if (typeof listener !== 'function')
      throw invalidOption('onToolsAdded', `takes a function, not ${typeof listener}`, ['listener']);
    return this.#state.registry.onAdded(listener);
  }

  /** The tool of that name, if it is registered. */
  getTool(name: string): Tool | undefined {
    return this.#state.registry.get(name);
  }

  /** A run that starts when it is first iterated or its `response` is awaited, and shows its events. */
  stream(messages: MessagesInput, options: RunOptions = {}): AgentRun {
    return this.#create(messages, options, 'stream');
  }

  /** Runs to the end. A run that ended badly rejects with a `RunFailedError`. */
  async invoke(messages: MessagesInput, options: RunOptions = {}): Promise<InvokeResponse> {
    return this.#create(messages, options, 'invoke').response;
  }

  /** Runs many inputs, so many at a time, and gives their responses in order. With `settle`, every input gets its own end. */
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
    given: BatchOptions = {},
  ): Promise<PromiseSettledResult<InvokeResponse>[] | InvokeResponse[]> {
    const { type, name, runOptions } = this.#state;
    const { settle, options, bounds } = parseBatch(inputs, given, `A batch of the ${type} '${name}'`);
    // What is wrong with the options is told also where there is no run to tell it.
    mergeRunOptions(runOptions, options, `a batch of the ${type} '${name}'`);
    const run = async (messages: MessagesInput, signal: AbortSignal) =>
      this.invoke(messages, { ...options, signal });
    return settle ? settleBatch(inputs, bounds, run) : runBatch(inputs, bounds, run);
  }

  /** Runs whose answer has the shape of a schema: `result` is checked against it and typed by it. */
  structuredOutput<Schema extends z.ZodObject>(schema: Schema): StructuredOutput<z.output<Schema>> {
    const read = readStructured(requireObjectSchema(schema));
    const create = (messages: MessagesInput, options: RunOptions, deliveryMode: 'invoke' | 'stream') => {
      const structuredOutput = structuredTool(schema, this.#state.registry);
      return this.#starter.create({ messages, options, deliveryMode, structuredOutput, read });
    };
    return {
      invoke: async (messages, options = {}) => create(messages, options, 'invoke').response,
      stream: (messages, options = {}) => create(messages, options, 'stream'),
    };
  }

  /** Runs by a cron expression: minute, hour, day of month, month, day of week, and optionally seconds as the last field. */
  cron(expression: string, options: CronOptions = {}): ScopeSchedule {
    return this.#jobs.build(createCronSchedule(expression, options));
  }

  /** Runs each time so many milliseconds are over, the first time one interval after the start. */
  every(intervalMs: number, options: IntervalOptions = {}): ScopeSchedule {
    return this.#jobs.build(createIntervalSchedule(intervalMs, options));
  }

  /** Runs once. A moment that has passed when the job starts is missed. */
  at(moment: Date): ScopeSchedule {
    return this.#jobs.build(createAtSchedule(moment));
  }

  /** Shows what would be sent of a message with personal data, but for the numbers that a run in a conversation or with memory gives. Nothing leaves the process and nothing changes. */
  previewRedaction(message: RedactedMessage, given?: PreviewOptions): RedactionPreview {
    const options = given ?? {};
    refuseUnknownOptions(options, ['privateData', 'knownPiiValues', 'piiWhitelist'], 'previewRedaction');
    const { knownPiiValues, piiWhitelist } = parseRedactionOptions(options, 'previewRedaction');
    const added = createPrivateDataMap(options.privateData);
    const privateData = mergePrivateData([...this.#namedPrivateData(), added]);
    return previewRedaction(message, {
      privateData,
      knownPiiValues,
      piiWhitelist: piiWhitelist ?? this.#state.runOptions.piiWhitelist,
    });
  }

  /** Ends the scope's jobs, cancels what runs and releases what the scope holds; a client that was handed in stays open. Further runs and jobs are refused with `RUN_SCOPE_CLOSED`. An orchestrator that does not answer is waited for 15 seconds at most, an after-hook or a job that does not end 30 seconds. Closing twice is fine. */
  async close(): Promise<void> {
    await Promise.all([this.#jobs.close(), this.#starter.close()]);
    await Promise.all(this.#state.sources.map(async (source) => source.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  [inspect.custom](): string {
    return `${this.constructor.name} { name: ${inspect(this.name)}, id: '${this.id}' }`;
  }

  /** What may be shown of the scope. */
  toJSON(): Record<string, unknown> {
    const { id, name, description } = this;
    return { id, name, description };
  }

  #create(messages: MessagesInput, options: RunOptions, deliveryMode: 'invoke' | 'stream'): AgentRun {
    const read = async ([response]: ReadResponses) => response;
    return this.#starter.create({ messages, options, deliveryMode, structuredOutput: undefined, read });
  }

  /** @internal The scope's own tools with those of its sources, which connect now if they have not yet. */
  protected async listAllTools(signal: AbortSignal): Promise<readonly Tool[]> {
    // Every run that uses the scope begins here: its own, a swarm's and one that depends on it.
    this.#starter.refuseClosed();
    const { registry, sources } = this.#state;
    const listing = Promise.all(sources.map(async (source) => listToolsOf(source, signal)));
    const brought = await raceAbort(listing, signal);
    return [...registry.list(), ...brought.flat()];
  }

  /** @internal */
  protected ownPrivateData(): readonly PrivateDataMap[] {
    return [this.#state.privateData];
  }

  /** What the scope holds, its members, and the agents that a tool depends on. */
  #namedPrivateData(): readonly PrivateDataMap[] {
    return [...this.ownPrivateData(), ...askedPrivateData(this.askingTools())].toReversed();
  }

  /** @internal The tools that may depend on agents besides the members. */
  protected askingTools(): readonly Tool[] {
    return this.listTools();
  }

  /** @internal */
  protected abstract requireClient(): Client;
  /** @internal */
  protected abstract prepareRun(input: RunInput): Promise<SessionSetup>;
}

/** Declares tools and registers them at once. */
function registering(registry: ScopeState['registry']): DefineTool {
  return (...declaration: Parameters<typeof defineUntypedTool>) => {
    const tool = defineUntypedTool(...declaration);
    registry.add(tool);
    return tool;
  };
}
