import type { JsonObject, JsonValue } from '@svc/contracts';
import type { PlanContext, RecordedStep } from '../../src/planning/plan-context.js';
import { offlinePlanner } from '../../src/planning/offline/offline-planner.js';
import { planTools } from '../../src/planning/policy/plan-tools.js';
import type { Planner } from '../../src/planning/planner.js';
import { composeTool } from '../../src/system-tools/compose.js';
import { SystemToolbox } from '../../src/system-tools/system-toolbox.js';
import { callStep, planContext, toolSpec } from '../planning/plan-fixtures.js';

export type Policy = { mode: 'forbid' | 'allow' | 'require'; approval: 'none' | 'explicit' };

export const policy = (compose_artifact: Policy): JsonObject => ({
  arg_policies: { body: { compose_artifact } },
});
export const specs = (given: Policy) => [
  toolSpec({
    name: 'count_lines',
    description: 'Count the lines of a folder',
    properties: { folder: { type: 'string' } },
  }),
  toolSpec({
    name: 'send_report',
    description: 'Send a report',
    properties: { body: { type: 'string', maxLength: 400, description: 'Text of the report' } },
    required: ['body'],
    metadata: policy(given),
  }),
];
export const writer = (text: string): Planner => ({
  ...offlinePlanner(),
  compose: async () => ({ text, usage: { total_tokens: 9 } }),
});
export const contextOf = (given: Policy, rest: Partial<PlanContext> = {}): PlanContext => {
  const context = planContext({ tools: planTools(specs(given)), ...rest });
  return {
    ...context,
    system_tools: new SystemToolbox([composeTool(offlinePlanner())]).offer(undefined, context),
  };
};
/** The input of a toolbox run, with what the run has reported. */
interface RecordingIo {
  readonly recorded: { text: string; usage: unknown[] };
  readonly context: PlanContext;
  readonly signal: AbortSignal;
  onChunk(text: string): void;
  onUsage(usage: unknown): void;
}
export const io = (context: PlanContext): RecordingIo => {
  const recorded: RecordingIo['recorded'] = { text: '', usage: [] };
  return {
    recorded,
    context,
    signal: new AbortController().signal,
    onChunk: (text: string) => (recorded.text += text),
    onUsage: (usage: unknown) => recorded.usage.push(usage),
  };
};
export const composeCall = (args: JsonObject) => ({ tool_id: 'compose', args });
export const composed = (result: JsonValue): RecordedStep =>
  callStep({ call_id: 'k', tool_id: 'compose', args: {}, outcome: { status: 'ok', result } });
