import type { JsonObject, JsonValue } from '@svc/contracts';
import type { ParametersSchema, PlanContext } from '../planning/plan-context.js';
import type { PlanUsage } from '../planning/plan-step.js';

/** What a system tool may use while it runs. */
export interface SystemToolIo {
  /** Aborts when the run is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** The run as it stands; the call itself is in its last step. */
  readonly context: PlanContext;
  /** Takes a piece of what the tool writes, for `system_tool_chunk`. */
  onChunk(text: string): void;
  /** Takes the tokens that the tool used. */
  onUsage(usage: PlanUsage): void;
}

/** A tool that the orchestrator runs itself. */
export interface SystemTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
  /** Whether a run has any use for it; it is offered only then. Absent means always. */
  readonly isUseful?: (context: PlanContext) => boolean;
  /** @throws SystemToolError when the call fails, or the signal's reason when aborted */
  run(args: JsonObject, io: SystemToolIo): Promise<JsonValue>;
}
