import type { PlanContext } from './plan-context.js';
import type { PlanStep, PlanUsage } from './plan-step.js';

/** What a planner may use during one turn. */
export interface PlannerIo {
  /** Aborts when the run is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** Streams a piece of the answer. In the end, the `text` of the step replaces the pieces. */
  onText(delta: string): void;
}

/** An argument whose text a planner is to write. */
export interface ComposeRequest {
  /** The tool and argument, as `tool.argument`. */
  readonly target: string;
  readonly instructions: string;
  /** Maximum length of the text, in characters. */
  readonly maxLength: number;
}

/** The text that a planner wrote for an argument. */
export interface ComposedText {
  readonly text: string;
  readonly usage?: PlanUsage;
}

/**
 * Decides a run's next step. It keeps no state between turns: everything it needs is in the context, so a run can
 * continue in another process.
 */
export interface Planner {
  readonly name: string;
  /** Decides the next step. @throws PlannerError if no step can be decided (see its codes), or the signal's reason if aborted. */
  next(context: PlanContext, io: PlannerIo): Promise<PlanStep>;
  /** Writes the text of one argument from the context. Without this method the `compose` tool is not offered. */
  compose?(request: ComposeRequest, context: PlanContext, io: PlannerIo): Promise<ComposedText>;
}
