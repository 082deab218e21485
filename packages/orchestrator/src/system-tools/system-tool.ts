import type { JsonObject, JsonValue } from '@svc/contracts';
import type { ParametersSchema, PlanContext } from '../planning/plan-context.js';
import type { PlanUsage } from '../planning/plan-step.js';

/** What a system tool can use while it runs. */
export interface SystemToolIo {
  /** Aborts when the run is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** The run so far; the call itself is in its last step. */
  readonly context: PlanContext;
  /** Receives a piece of the tool's output, for `system_tool_chunk`. */
  onChunk(text: string): void;
  /** Receives the tokens that the tool used. */
  onUsage(usage: PlanUsage): void;
}

/** What decides which system tools a run is offered. */
export type OfferContext = Pick<PlanContext, 'tools' | 'constraints'>;

/** A tool that the orchestrator runs itself. */
export interface SystemTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
  /** Whether a run can use the tool; otherwise it is not offered. Absent means always. */
  readonly isUseful?: (context: OfferContext) => boolean;
  /** @throws SystemToolError when the call fails, or the signal's reason when aborted */
  run(args: JsonObject, io: SystemToolIo): Promise<JsonValue>;
}
