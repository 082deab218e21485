import { Agent } from '../../src/agents/agent.js';
import { startScriptedOrchestrator, type Script } from '../../src/testing/scripted-orchestrator.js';

/** Agents connected to an orchestrator that follows the script. */
export async function setUp(script: Script) {
  const orchestrator = await startScriptedOrchestrator(script);
  const client = orchestrator.client();
  const agent = (name: string, options: object = {}) => new Agent({ name, client, ...options });
  return { orchestrator, client, agent, [Symbol.asyncDispose]: async () => orchestrator.close() };
}

/** The name of the member that a session belongs to; undefined at the root of a run. */
export const memberOf = (session: Parameters<Script>[0]): string | undefined =>
  session.state.swarm_config?.invoked_agent_name ?? undefined;
