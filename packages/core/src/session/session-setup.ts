import type { StartSessionRequestInput } from '@svc/contracts/orchestrator';
import type { EventOrigin } from '../compile/stream-event.js';
import type { OpeningCall } from '../dependencies/call-book.js';
import type { PlannedTools } from '../dependencies/planned-tool.js';
import type { Hooks } from '../hooks/hook.js';
import type { AgentResult } from '../tools/injection.js';
import type { RunContext } from './run-context.js';

/** What a member's own session starts from. */
export interface AgentCall extends OpeningCall {
  readonly context: RunContext;
  readonly args: Readonly<Record<string, unknown>>;
  /** Injected results of other tools, by argument. */
  readonly injected: Readonly<Record<string, unknown>>;
  /** The orchestrator's id of the session that asks. */
  readonly parentSessionId: string;
}

/** An agent that tools of a session depend on. */
export interface CallableAgent {
  readonly agentId: string;
  /** Opens a session of the agent's own and gives back what it came to. */
  readonly invoke: (call: AgentCall) => Promise<AgentResult>;
}

/** The hooks of a scope around each tool call, with whose they are. */
export interface HookLayer {
  readonly source: 'tool' | 'scope' | 'swarm';
  readonly hooks: Hooks;
}

/** One session to be run: its start request, and what this process does for it. */
export interface SessionSetup {
  readonly request: StartSessionRequestInput;
  readonly planned: PlannedTools;
  /** By the name of an agent tool, how that agent is run; the key `agentId` finds it by the agent's id. */
  readonly agents: ReadonlyMap<string, CallableAgent>;
  readonly origin: EventOrigin;
  /** From the outermost scope inwards. */
  readonly hookLayers: readonly HookLayer[];
  /** What agents are asked when nothing better is known: the text the run was started with. */
  readonly defaultPrompt: string;
  /** The call that opened the session; absent for a run's first one. */
  readonly openedBy: OpeningCall | undefined;
}
