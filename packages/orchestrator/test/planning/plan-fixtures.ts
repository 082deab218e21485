import type { JsonObject, JsonValue } from '@svc/contracts';
import { ToolSpecSchema, type ToolSpec, type ToolSpecInput } from '@svc/contracts/orchestrator';
import type {
  PlanConstraints,
  PlanContext,
  PlanTool,
  RecordedCall,
  RecordedCallStep,
  SwarmMember,
} from '../../src/planning/plan-context.js';
import { planTools } from '../../src/planning/policy/plan-tools.js';

/** A short form of a tool; dependency markers are among the properties, as on the wire. */
export interface ToolSketch {
  name: string;
  description?: string;
  properties?: JsonObject;
  required?: string[];
  tags?: string[];
  type?: ToolSpec['tool_type'];
  returns?: JsonObject;
  metadata?: JsonObject;
  always_execute?: boolean;
  final_tool?: boolean;
}

/** A tool spec as our SDK sends it; its id is `t-<name>`. */
export function toolSpec(sketch: ToolSketch): ToolSpec {
  const input: ToolSpecInput = {
    tool_id: `t-${sketch.name}`,
    agent_id: 'agent',
    name: sketch.name,
    description: sketch.description ?? '',
    tags: sketch.tags ?? [],
    tool_type: sketch.type ?? 'func',
    args_schema: {
      type: 'object',
      properties: sketch.properties ?? {},
      required: sketch.required ?? [],
      return_type: sketch.returns ?? {},
    },
    always_execute: sketch.always_execute ?? false,
    final_tool: sketch.final_tool ?? false,
    metadata: sketch.metadata ?? {},
  };
  return ToolSpecSchema.parse(input);
}

/** Tools as planners see them. */
export const toolsOf = (...sketches: ToolSketch[]): PlanTool[] => planTools(sketches.map(toolSpec));

/** A marker: the argument is the named tool's result. */
export const resultOf = (name: string): JsonObject => ({
  type: 'tool_dependency',
  tool_id: `t-${name}`,
  tool_name: name,
  tool_type: 'func',
  description: `Output from ${name}`,
  output_type: 'object',
});

/** A marker: the argument is a private value. */
export const privateValue = (key: string): JsonObject => ({ type: 'data_dependency', data_key: key });

export const constraints = (some: Partial<PlanConstraints> = {}): PlanConstraints => ({
  force_final_tool: false,
  mode: 'supervisor_loop',
  stop_strategy: 'orchestrator_decides',
  allow_followup_actions: true,
  allow_reevaluate_loop: true,
  max_cycles: 8,
  ...some,
});

/** A member of a swarm, by default without a final tool or dependencies. */
export const swarmMember = (name: string, some: Partial<SwarmMember> = {}): SwarmMember => ({
  agent_id: `ag-${name}`,
  name,
  description: '',
  tool_id: `t-${name}`,
  use_as_final_output: false,
  has_final_tool: false,
  invokes_via_dependency: [],
  ...some,
});

/** A context with one user message. `now` is Wednesday, 2026-03-18. */
export const planContext = (some: Partial<PlanContext> & { request?: string } = {}): PlanContext => {
  const { request = 'Hello', ...rest } = some;
  return {
    run_id: 'run-1',
    messages: [{ role: 'user', content: request }],
    turn_start: 0,
    tools: [],
    system_tools: [],
    private_data: [],
    constraints: constraints(),
    steps: [],
    preference: {},
    now: '2026-03-18T10:00:00.000Z',
    timezone: 'UTC',
    ...rest,
  };
};

let callNumber = 0;

export const okCall = (name: string, result: JsonValue = null, args: JsonObject = {}): RecordedCall => ({
  call_id: `c${(callNumber += 1)}`,
  tool_id: `t-${name}`,
  args,
  outcome: { status: 'ok', result },
});

export const failedCall = (
  name: string,
  error: { code?: string; message?: string; retryable?: boolean } = {},
): RecordedCall => ({
  call_id: `c${(callNumber += 1)}`,
  tool_id: `t-${name}`,
  args: {},
  outcome: { status: 'error', error: { code: 'TOOL_FAILED', message: 'It broke.', ...error } },
});

export const callStep = (...calls: RecordedCall[]): RecordedCallStep => ({ type: 'call', calls });
