import type { PlanContext } from './plan-context.js';
import type { PlanStep, PlanUsage } from './plan-step.js';

/** What a planner may use while it thinks. */
export interface PlannerIo {
  /** Aborts when the run is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** Takes a piece of the answer as it is written. Pieces of a turn joined are the turn's `text`. */
  onText(delta: string): void;
}

/** One argument that a planner is to write as a text. */
export interface ComposeRequest {
  /** The tool and argument, as `tool.argument`. */
  readonly target: string;
  readonly instructions: string;
  /** Characters the text may have. */
  readonly maxLength: number;
}

/** A text a planner wrote for an argument. */
export interface ComposedText {
  readonly text: string;
  readonly usage?: PlanUsage;
}

/**
 * Decides a run's next step. It keeps no state between turns: all it needs is in the context, so a run can
 * go on in another process.
 */
export interface Planner {
  readonly name: string;
  /** @throws PlannerError when no step can be decided (see its codes), or the signal's reason when aborted. */
  next(context: PlanContext, io: PlannerIo): Promise<PlanStep>;
  /** Writes the text of one argument from what the run knows. Without it the `compose` tool is not offered. */
  compose?(request: ComposeRequest, context: PlanContext, io: PlannerIo): Promise<ComposedText>;
}
