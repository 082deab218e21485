import { onTestFinished } from 'vitest';
import { createOrchestrator } from '../../src/create-orchestrator.js';
import type { OrchestratorOptions } from '../../src/options.js';
import type { Orchestrator } from '../../src/orchestrator.js';
import { WireClient } from './wire-client.js';

/** Opens an orchestrator on a free port for the running test, and a client with its key. */
export async function openOrchestrator(
  options: OrchestratorOptions,
): Promise<{ orchestrator: Orchestrator; client: WireClient }> {
  const orchestrator = createOrchestrator(options);
  onTestFinished(() => orchestrator.close());
  await orchestrator.listen({ port: 0 });
  return { orchestrator, client: new WireClient(orchestrator.url, orchestrator.apiKey) };
}
