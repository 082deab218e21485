import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { sessionsOf, type Client } from '../client/client.js';
import type { SessionApi } from '../client/session-api.js';
import type { StreamEvent } from '../compile/stream-event.js';
import { cutText } from '../cut-text.js';
import { raceAbort } from '../deadline.js';
import { mergeRunOptions, type RunOptions } from '../invocation/run-options.js';
import { parseMessages, type Message, type MessagesInput } from '../messages/message.js';
import { Conversations } from '../privacy/conversations.js';
import {
  createPrivateDataMap,
  mergePrivateData,
  listPrivateValues,
  listRestorers,
  type PrivateDataMap,
} from '../privacy/private-data-map.js';
import { PrivateValues, type NamedValue } from '../privacy/private-values.js';
import { redactMessages } from '../privacy/redact-messages.js';
import { AgentRun, type OwnedByRun } from '../session/agent-run.js';
import { mapResponse, type InvokeResponse } from '../session/invoke-response.js';
import type { RunContext } from '../session/run-context.js';
import { RunRegistry } from '../session/run-registry.js';
import { runSession } from '../session/run-session.js';
import type { SessionSetup } from '../session/session-setup.js';
import type { OwnedHooks } from '../session/tool-hooks.js';
import type { Tool } from '../tools/declaration/tool.js';
import { createContext } from './create-context.js';
import { RecentValues } from './recent-values.js';
import { withScopeHooks } from './scope-hooks.js';
import type { ScopeState } from './scope-state.js';

/** Large enough that two runs of a conversation hardly ever start at the same placeholder number. */
const PLACEHOLDER_NUMBERS = 100_000_000;

/** The longest reason for a cancel that an orchestrator accepts, in characters. */
const MAX_REASON_LENGTH = 500;

/** All readings of one response, the best one first. */
export type ReadResponses = readonly [InvokeResponse, ...InvokeResponse[]];

/** A caller's request for a run. */
export interface RunRequest<Result> {
  readonly messages: MessagesInput;
  readonly options: RunOptions;
  readonly deliveryMode: 'invoke' | 'stream';
  /** The tool whose arguments are the answer, for a structured run. */
  readonly structuredOutput: Tool | undefined;
  /** Parses the response, which may have two readings, or throws. */
  readonly read: (responses: ReadResponses) => Promise<InvokeResponse<Result>>;
}

/** The runs of an agent or a swarm, from their creation to their end. */
export interface Runs {
  /** Returns the run with that id, until it ends. Of the runs that have not started, the latest 1,000 are found. */
  get(id: string): AgentRun | undefined;
  /** The number of active runs. */
  readonly size: number;
}

/** The input for preparing one run. */
export interface RunInput {
  /** Already redacted. */
  readonly messages: readonly Message[];
  readonly options: RunOptions;
  readonly deliveryMode: 'invoke' | 'stream';
  readonly timeoutMs: number;
  /** Private values from the call or from its redacted messages. */
  readonly callPrivateData: PrivateDataMap;
  readonly structuredOutput: Tool | undefined;
  readonly context: RunContext;
}

/** The resources of a run. */
interface RunResources {
  readonly api: SessionApi;
  readonly owned: OwnedByRun;
  readonly threadId: string | undefined;
  /** Initially those of the scope. */
  readonly privateValues: PrivateValues;
}

/** The operations that differ between agents and swarms. */
export interface RunPorts {
  requireClient(): Client;
  prepareRun(input: RunInput): Promise<SessionSetup>;
  /** Returns the private data of the scope, followed by that of its members. */
  ownPrivateData(): readonly PrivateDataMap[];
  /**
   * Returns the private data whose names redacted values must not take, because tools get other values under them. The
   * last value with a name counts.
   */
  namedPrivateData(): readonly PrivateDataMap[];
}

/** Creates the runs of one scope and keeps track of them until they end. */
export class RunStarter {
  readonly runs = new RunRegistry<AgentRun>();
  readonly #state: ScopeState;
  readonly #ports: RunPorts;
  readonly #recentValues = new RecentValues();
  readonly #conversations = new Conversations();
  #isClosed = false;

  constructor(state: ScopeState, ports: RunPorts) {
    this.#state = state;
    this.#ports = ports;
  }

  /** Returns the private values that runs were given or collected. */
  recentValues(): readonly NamedValue[] {
    return this.#recentValues.list();
  }

  /** Creates a run that starts when it is first iterated or awaited. An invalid request throws immediately. */
  create<Result>(request: RunRequest<Result>): AgentRun<Result> {
    this.refuseClosed();
    const { messages, options, callPrivateData } = this.parse(request);
    const client = this.#ports.requireClient();
    const api = sessionsOf(client);
    const timeoutMs = options.timeoutMs ?? client.timeoutMs;
    const threadId = options.threadId ?? client.threadId;
    const { deliveryMode, structuredOutput } = request;
    const parts = { options, deliveryMode, structuredOutput, timeoutMs };
    const privateValues = new PrivateValues();
    privateValues.hideKey(client.config.apiKey);
    privateValues.follow(this.#state, () => this.#ports.ownPrivateData().flatMap(listPrivateValues));
    privateValues.add(listPrivateValues(callPrivateData));
    const run = new AgentRun<Result>({
      id: api.runtime.uuid(),
      signal: options.signal,
      timeoutMs,
      registry: this.runs,
      cancelSession: async (id, reason) => api.cancel(id, reason),
      cleanReason: (reason) => cutText(privateValues.cleanText(reason), MAX_REASON_LENGTH),
      execute: async (owned) => {
        const responses = await this.#run(
          { api, owned, threadId, privateValues },
          { ...parts, messages, callPrivateData },
        );
        // A refinement of a schema may wait for something that never answers.
        return raceAbort(request.read(responses), owned.signal);
      },
    });
    this.runs.expect(run);
    return run;
  }

  /** Validates a caller's request. */
  parse(
    request: Pick<RunRequest<unknown>, 'messages' | 'options'>,
  ): Pick<RunInput, 'messages' | 'options' | 'callPrivateData'> {
    const { type, name, runOptions } = this.#state;
    const messages = parseMessages(request.messages);
    const options = mergeRunOptions(runOptions, request.options, `a run of the ${type} '${name}'`);
    return { messages, options, callPrivateData: createPrivateDataMap(options.privateData) };
  }

  /** Cancels the active runs and starts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.runs.close();
  }

  /** @throws MaivnSDKError `RUN_SCOPE_CLOSED` if the scope is closed. */
  refuseClosed(): void {
    if (!this.#isClosed) return;
    const { type, name } = this.#state;
    throw new MaivnSDKError(`The ${type} '${name}' is closed. Create a new one, or close it later.`, {
      code: 'RUN_SCOPE_CLOSED',
    });
  }

  async #run(
    { api, owned, threadId, privateValues }: RunResources,
    parts: Omit<RunInput, 'context'>,
  ): Promise<ReadResponses> {
    // A stream may have been created before the scope was closed.
    this.refuseClosed();
    const { options, callPrivateData } = parts;
    const known = mergePrivateData([...this.#ports.namedPrivateData(), callPrivateData]);
    const isReadLater = threadId !== undefined || usesMemory(options);
    const { messages, redactedValues } = redactMessages(parts.messages, {
      privateData: known,
      piiWhitelist: options.piiWhitelist,
      earlierValues: this.#conversations.recall(threadId),
      // Placeholders that later runs read, also in other processes, need numbers that no other run takes.
      countAfter: isReadLater ? Math.floor(api.runtime.random() * PLACEHOLDER_NUMBERS) : 0,
    });
    this.#conversations.remember(threadId, redactedValues);
    const ownValues = createPrivateDataMap({ ...redactedValues, ...callPrivateData });
    privateValues.add(listPrivateValues(ownValues));
    const context = createContext(owned, this.#state, {
      api,
      privateValues,
      redactedValues,
      interruptService: options.interruptService,
    });
    this.#recentValues.start(privateValues);
    try {
      const response = await this.#execute({ ...parts, messages, callPrivateData: ownValues, context });
      const [first, ...others] = listRestorers(redactedValues);
      return [mapResponse(response, first), ...others.map((restore) => mapResponse(response, restore))];
    } finally {
      this.#recentValues.end(privateValues);
    }
  }

  async #execute(input: RunInput): Promise<InvokeResponse> {
    const { context } = input;
    const finals: StreamEvent[] = [];
    try {
      return await withScopeHooks(wholeRunHooks(this.#state), context, async () => {
        const setup = await this.#ports.prepareRun(input);
        return runSession(setup, context, async (event) => {
          if (event.name === 'final') finals.push(event);
          else await context.emit(event);
        });
      });
    } finally {
      // A final event ends the turn: an after-hook that fired later would not belong to any turn.
      for (const final of finals) await context.emit(final);
    }
  }
}

/** Whether later runs may recall something from this one. */
function usesMemory({ memoryConfig, memoryAssetsConfig }: RunOptions): boolean {
  return memoryConfig?.enabled ?? (memoryConfig ?? memoryAssetsConfig) !== undefined;
}

/** Returns the hooks around a whole run. For an agent, modes `agent` and `scope` are the same. */
function wholeRunHooks({ type, id, name, hooks, hookMode }: ScopeState): OwnedHooks[] {
  if (hookMode === 'tool' || (hookMode === 'agent' && type === 'swarm')) return [];
  const target = { targetType: type, targetId: type === 'swarm' ? name : id, targetName: name };
  return [{ ...target, hooks, source: type === 'swarm' ? 'swarm' : 'scope' }];
}
