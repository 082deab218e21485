import type { InterruptInputType } from '../../interrupts/input-type.js';

/** The progress of a call. */
export interface ToolProgress {
  /** The progress so far; it should increase with every report. */
  readonly progress: number;
  /** The final value of `progress`, if it is known. */
  readonly total?: number | undefined;
  /** A message for readers of the run. */
  readonly message?: string | undefined;
}

/** The levels of a tool's log lines, as in MCP, from the least to the most severe. */
export const TOOL_LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** A log line of a tool about what it does. */
export interface ToolLogLine {
  readonly level: (typeof TOOL_LOG_LEVELS)[number];
  readonly message: string;
  /** The source of the line, such as the name of a server. */
  readonly source?: string | undefined;
}

/** A question of a running tool to a person. */
export interface ToolQuestion {
  /** The name of the answer; the interrupt's `data_key`. */
  readonly name: string;
  /** The question. */
  readonly prompt: string;
  /** The type of the answer. @default 'choice' with choices, otherwise 'text' */
  readonly inputType?: InterruptInputType | undefined;
  /** The allowed answers of a choice. */
  readonly choices?: readonly string[] | undefined;
  /** How long the question stays open, in milliseconds. @default 900000 */
  readonly expiresInMs?: number | undefined;
  /** Withdraws the question when it aborts; `ask` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}
