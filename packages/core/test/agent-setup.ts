import { Agent } from '../src/agents/agent.js';
import type { AgentOptions } from '../src/agents/scope-options.js';
import type { ClientPorts } from '../src/client/client.js';
import type { StreamEvent } from '../src/compile/stream-event.js';
import {
  startScriptedOrchestrator,
  type RecordedEvent,
  type Script,
  type ScriptedOrchestratorOptions,
} from '../src/testing/scripted-orchestrator.js';
import { configureLogging } from '../src/logging/logger.js';
import { quickRuntime } from './quick-runtime.js';

// Keeps the log lines that tests provoke off the terminal.
configureLogging({ level: 'silent' });

/** Every event of a run. */
export async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** An agent connected to an orchestrator that follows the script; waits between attempts take no time. */
export async function startAgent(
  script: Script | readonly RecordedEvent[],
  options: Partial<AgentOptions> = {},
  orchestratorOptions: ScriptedOrchestratorOptions & { ports?: ClientPorts } = {},
) {
  const { ports, ...rest } = orchestratorOptions;
  const orchestrator = await startScriptedOrchestrator(script, rest);
  const runtime = quickRuntime();
  const agent = new Agent({
    name: 'billing',
    client: orchestrator.client({}, { runtime, ...ports }),
    ...options,
  });
  return {
    orchestrator,
    agent,
    runtime,
    /** The JSON bodies of the requests to paths with this ending. */
    bodies: (ending: string) =>
      orchestrator.requests.filter(({ path }) => path.endsWith(ending)).map(({ body }) => body),
    async [Symbol.asyncDispose]() {
      await agent.close();
      await orchestrator.close();
    },
  };
}
