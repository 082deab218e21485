import type { StartSessionRequestInput } from '@svc/contracts/orchestrator';
import type { EventOrigin } from '../compile/stream-event.js';
import type { OpeningCall } from '../dependencies/call-book.js';
import type { PlannedTools } from '../dependencies/planned-tool.js';
import type { Hooks } from '../hooks/hook.js';
import type { AgentResult } from '../tools/references/injection.js';
import type { RunContext } from './run-context.js';

/** The call of an agent, for which its own session is opened. */
export interface AgentCall extends OpeningCall {
  readonly context: RunContext;
  readonly args: Readonly<Record<string, unknown>>;
  /** Injected results of other tools, by argument. */
  readonly injected: Readonly<Record<string, unknown>>;
  /** The orchestrator's id of the calling session. */
  readonly parentSessionId: string;
}

/** An agent that the tools of a session depend on. */
export interface CallableAgent {
  readonly agentId: string;
  /** Runs the agent in its own session and resolves to its result. */
  readonly invoke: (call: AgentCall) => Promise<AgentResult>;
}

/** The hooks around each tool call, and the owner of the hooks. */
export interface HookLayer {
  readonly source: 'tool' | 'scope' | 'swarm';
  readonly hooks: Hooks;
}

/** The setup of one session: its start request, and what this process does for it. */
export interface SessionSetup {
  readonly request: StartSessionRequestInput;
  readonly planned: PlannedTools;
  /** The callable agents by the names of their tools. */
  readonly agents: ReadonlyMap<string, CallableAgent>;
  readonly origin: EventOrigin;
  /** The hooks, outermost first. */
  readonly hookLayers: readonly HookLayer[];
  /** The default prompt for agents: the text that the run was started with. */
  readonly defaultPrompt: string;
  /** The call that opened the session; absent for the first session of a run. */
  readonly openedBy: OpeningCall | undefined;
}
