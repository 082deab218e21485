import type {
  MessageInput,
  PrivateDataField,
  SessionRequestInput,
  StartSessionRequestInput,
} from '@svc/contracts/orchestrator';
import type { PlannedTools } from '../dependencies/planned-tool.js';
import type { RunOptions } from '../invocation/run-options.js';
import { compileMemory, compileMemoryAssets, compileOrchestration, compileSystemTools } from './config.js';
import { compileToolSpecs } from './tool-specs.js';

/** The parts of a start request. */
export interface RequestParts {
  readonly clientId: string;
  readonly threadId: string | undefined;
  /** The agent that sends the request; for a swarm, its entry agent. */
  readonly agentId: string;
  readonly messages: MessageInput[];
  readonly planned: PlannedTools;
  readonly options: RunOptions;
  readonly targetedTools: readonly string[] | undefined;
  readonly structuredOutput: string | undefined;
  readonly privateData: readonly PrivateDataField[];
  readonly swarmConfig: SessionRequestInput['swarm_config'];
  readonly deliveryMode: 'invoke' | 'stream';
  readonly timezone: string;
  readonly deploymentTimezone: string;
  readonly timeoutMs: number;
}

const MODEL_TIERS: ReadonlySet<string> = new Set(['auto', 'fast', 'balanced', 'max']);

/** Compiles the body of `POST /start-session`. It contains only the names and descriptions of private data. */
export function compileRequest(parts: RequestParts): StartSessionRequestInput {
  const { options, planned, privateData } = parts;
  const { model, reasoning, memoryConfig, memoryAssetsConfig, orchestrationConfig } = options;
  const interruptKeys = collectInterruptKeys(planned);
  const state: SessionRequestInput = {
    messages: parts.messages,
    tools: compileToolSpecs(planned, parts.agentId),
    metadata: { ...options.metadata },
    execution_config: {
      agent_id: parts.agentId,
      timeout: Math.ceil(parts.timeoutMs / 1000),
      sdk_delivery_mode: parts.deliveryMode,
      client_timezone: parts.timezone,
      sdk_deployment_timezone: parts.deploymentTimezone,
    },
    system_tools_config: compileSystemTools(options.systemToolsConfig),
    ...(memoryConfig ? { memory_config: compileMemory(memoryConfig) } : {}),
    ...(memoryAssetsConfig ? { memory_assets_config: compileMemoryAssets(memoryAssetsConfig) } : {}),
    ...(orchestrationConfig ? { orchestration_config: compileOrchestration(orchestrationConfig) } : {}),
    ...(parts.structuredOutput === undefined
      ? {}
      : { structured_output_config: { enabled: true, model: parts.structuredOutput } }),
    ...(parts.swarmConfig ? { swarm_config: parts.swarmConfig } : {}),
    force_final_tool: options.forceFinalTool ?? false,
    ...(parts.targetedTools ? { targeted_tools: [...parts.targetedTools] } : {}),
    ...compileModel(model),
    ...(reasoning ? { reasoning } : {}),
    stream_response: options.streamResponse ?? true,
    status_messages: options.statusMessages ?? false,
    ...(privateData.length > 0 ? { private_data_schema: [...privateData] } : {}),
    ...(interruptKeys.length > 0 ? { interrupt_data_keys: interruptKeys } : {}),
  };
  const { threadId } = parts;
  return { state, client_id: parts.clientId, ...(threadId === undefined ? {} : { thread_id: threadId }) };
}

/** Compiles the model: a tier is a hint, anything else is the exact model to use. */
function compileModel(model: string | undefined): Pick<SessionRequestInput, 'model' | 'force_model'> {
  if (model === undefined) return {};
  return MODEL_TIERS.has(model) ? { model } : { force_model: model };
}

function collectInterruptKeys(planned: PlannedTools): string[] {
  const keys = [...planned.values()].flatMap(({ tool }) =>
    [...tool.inject].flatMap(([argument, injection]) => (injection.kind === 'interrupt' ? [argument] : [])),
  );
  return [...new Set(keys)];
}
