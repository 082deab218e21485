import { MaivnSDKError } from '@svc/contracts/sdk-error';
import { sessionsOf, type Client } from '../client/client.js';
import type { SessionApi } from '../client/session-api.js';
import type { StreamEvent } from '../compile/stream-event.js';
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
import type { Tool } from '../tools/tool.js';
import { createContext } from './create-context.js';
import { RecentValues } from './recent-values.js';
import { withScopeHooks, type ScopeHooks } from './scope-hooks.js';
import type { ScopeState } from './scope-state.js';

/** So many that two runs of a conversation hardly ever take the same. */
const NUMBERS = 100_000_000;

/** One response in every way it may be meant, the best one first. */
export type ReadResponses = readonly [InvokeResponse, ...InvokeResponse[]];

/** What a caller asks for. */
export interface RunRequest<Result> {
  readonly messages: MessagesInput;
  readonly options: RunOptions;
  readonly deliveryMode: 'invoke' | 'stream';
  /** The tool whose arguments are the answer, for a structured run. */
  readonly structuredOutput: Tool | undefined;
  /** Gives the response, which may be meant in one or two ways, its type, or throws. */
  readonly read: (responses: ReadResponses) => Promise<InvokeResponse<Result>>;
}

/** What one run is prepared from. */
export interface RunInput {
  readonly runId: string;
  /** Redacted already. */
  readonly messages: readonly Message[];
  readonly options: RunOptions;
  readonly deliveryMode: 'invoke' | 'stream';
  readonly timeoutMs: number;
  /** Private values that came with the call or out of its redacted messages. */
  readonly callPrivateData: PrivateDataMap;
  readonly structuredOutput: Tool | undefined;
  readonly context: RunContext;
}

/** What a run works with. */
interface RunMeans {
  readonly api: SessionApi;
  readonly owned: OwnedByRun;
  readonly threadId: string | undefined;
  /** Those of the scope to begin with. */
  readonly privateValues: PrivateValues;
}

/** What agents and swarms do differently. */
export interface RunPorts {
  requireClient(): Client;
  prepareRun(input: RunInput): Promise<SessionSetup>;
  /** What the scope holds, and after it its members. */
  ownPrivateData(): readonly PrivateDataMap[];
  /** Those whose names no redacted value gets, because a tool is given something else under them; of one name the last one's value counts. */
  namedPrivateData(): readonly PrivateDataMap[];
}

/** Starts the runs of one scope and knows those that are running. */
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

  /** Private values that runs brought or collected. */
  recentValues(): readonly NamedValue[] {
    return this.#recentValues.list();
  }

  /** A run that starts when it is first pulled or awaited. What is wrong with the request is thrown at once. */
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
    return new AgentRun({
      id: api.runtime.uuid(),
      signal: options.signal,
      timeoutMs,
      registry: this.runs,
      cancelSession: async (id, reason) =>
        api.cancel(id, reason === undefined ? undefined : privateValues.cleanText(reason)),
      execute: async (owned) => {
        const { runId, signal } = owned;
        const responses = await this.#run(
          { api, owned, threadId, privateValues },
          { ...parts, messages, callPrivateData, runId },
        );
        // A rule of a schema may ask something that never answers.
        return raceAbort(request.read(responses), signal);
      },
    });
  }

  /** What a caller asks for, checked; what is wrong with it is thrown. */
  parse(
    request: Pick<RunRequest<unknown>, 'messages' | 'options'>,
  ): Pick<RunInput, 'messages' | 'options' | 'callPrivateData'> {
    const { type, name, runOptions } = this.#state;
    const messages = parseMessages(request.messages);
    const options = mergeRunOptions(runOptions, request.options, `a run of the ${type} '${name}'`);
    return { messages, options, callPrivateData: createPrivateDataMap(options.privateData) };
  }

  /** Cancels what runs, and starts nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.runs.close();
  }

  /** @throws MaivnSDKError `RUN_SCOPE_CLOSED` once it is closed */
  refuseClosed(): void {
    if (!this.#isClosed) return;
    const { type, name } = this.#state;
    throw new MaivnSDKError(`The ${type} '${name}' was closed; make a new one, or close it later.`, {
      code: 'RUN_SCOPE_CLOSED',
    });
  }

  async #run(
    { api, owned, threadId, privateValues }: RunMeans,
    parts: Omit<RunInput, 'context'>,
  ): Promise<ReadResponses> {
    // A stream may have been made before the scope was closed.
    this.refuseClosed();
    const { options, callPrivateData } = parts;
    const known = mergePrivateData([...this.#ports.namedPrivateData(), callPrivateData]);
    const isReadLater = threadId !== undefined || usesMemory(options);
    const { messages, redactedValues } = redactMessages(parts.messages, {
      privateData: known,
      piiWhitelist: options.piiWhitelist,
      earlierValues: this.#conversations.recall(threadId),
      // What later runs read, also those of other processes, has numbers that no other run takes.
      countAfter: isReadLater ? Math.floor(api.runtime.random() * NUMBERS) : 0,
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
    const ends: StreamEvent[] = [];
    try {
      return await withScopeHooks(onceHooks(this.#state), context, async () => {
        const setup = await this.#ports.prepareRun(input);
        return runSession(setup, context, async (event) => {
          if (event.name === 'final') ends.push(event);
          else await context.emit(event);
        });
      });
    } finally {
      // A final ends the turn of whoever shows the run: an after-hook that fired later would be in no turn.
      for (const end of ends) await context.emit(end);
    }
  }
}

/** Whether later runs may recall what this one brings along. */
function usesMemory({ memoryConfig, memoryAssetsConfig }: RunOptions): boolean {
  return memoryConfig?.enabled ?? (memoryConfig ?? memoryAssetsConfig) !== undefined;
}

/** The hooks around a whole run. An agent's mode `agent` means its own runs, as its mode `scope` does. */
function onceHooks({ type, id, name, hooks, hookMode }: ScopeState): ScopeHooks[] {
  if (hookMode === 'tool' || (hookMode === 'agent' && type === 'swarm')) return [];
  const target = { targetType: type, targetId: type === 'swarm' ? name : id, targetName: name };
  return [{ ...target, hooks, source: type === 'swarm' ? 'swarm' : 'scope' }];
}
