import * as z from 'zod';
import { createStableId } from '../identifiers.js';
import { NO_HOOKS } from '../hooks/hook.js';
import { MAX_RESULT_BYTES } from '../tools/declaration/build-tool.js';
import { describeInput, parseWith } from '../tools/declaration/input-schema.js';
import type { Injections } from '../tools/references/injection.js';
import { PermissionSet } from '../tools/declaration/permissions.js';
import { createTool, type Tool } from '../tools/declaration/tool.js';
import type { AgentParts } from './agent-parts.js';

export const AgentCallSchema = z.object({
  prompt: z.string().min(1).describe('What the agent is asked to do, with all it needs to know'),
  use_as_final_output: z.boolean().nullish().describe("Make this agent's answer the answer of the whole run"),
  force_final_tool: z.boolean().nullish().describe("Require the agent's final tool"),
  model: z.string().trim().nullish().describe("A model tier for this call: 'fast', 'balanced' or 'max'"),
  included_nested_synthesis: z
    .union([z.boolean(), z.literal('auto')])
    .nullish()
    .describe('Whether the agent adds prose to its result'),
  memory_recall_turn_active: z.boolean().nullish().describe('Recall from memory in this call'),
});
/** The arguments with which a planner calls an agent. */
export type AgentCallArguments = z.infer<typeof AgentCallSchema>;

/** Creates the tool by which a planner calls an agent. `inject` adds other results to the agent's prompt. */
export function createAgentTool({ state }: AgentParts, inject: Injections = {}): Tool {
  const dependencies = Object.keys(inject);
  return createTool({
    id: createStableId(`agent_invoke_${state.id}`),
    name: state.name,
    kind: 'agent',
    description: state.description ?? `Asks the agent '${state.name}' and returns its answer.`,
    tags: ['dynamic', 'agent_invocation'],
    permissions: new PermissionSet(),
    metadata: {
      target_agent_id: state.id,
      ...(dependencies.length > 0 ? { swarm_agent_dependency_context_keys: dependencies } : {}),
    },
    composePolicies: new Map(),
    alwaysExecute: false,
    finalTool: false,
    idempotent: false,
    timeoutMs: undefined,
    maxResultBytes: MAX_RESULT_BYTES,
    inputSchema: describeInput(AgentCallSchema, `agent '${state.name}'`),
    outputSchema: undefined,
    inject: new Map(Object.entries(inject)),
    order: [],
    hooks: NO_HOOKS,
    parseInput: (args) => parseWith(AgentCallSchema, args),
    execute: () => Promise.reject(new TypeError(`The agent '${state.name}' is run in a session of its own.`)),
  });
}
