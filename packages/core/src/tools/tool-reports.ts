import type { InterruptInputType } from '../interrupts/input-type.js';

/** How far a call is. */
export interface ToolProgress {
  /** Grows from call to call. */
  readonly progress: number;
  /** What `progress` comes to at the end, if that is known. */
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** How grave a line of a tool is, as the levels of MCP, from the least grave on. */
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

/** A line that a tool writes about what it does. */
export interface ToolLogLine {
  readonly level: (typeof TOOL_LOG_LEVELS)[number];
  readonly message: string;
  /** Who wrote it, such as the name of a server. */
  readonly source?: string | undefined;
}

/** What a running tool asks a person. */
export interface ToolQuestion {
  /** What the answer is called; the interrupt's `data_key`. */
  readonly name: string;
  readonly prompt: string;
  /** @default 'choice' with choices, else 'text' */
  readonly inputType?: InterruptInputType | undefined;
  /** The allowed answers of a choice. */
  readonly choices?: readonly string[] | undefined;
  /** How long the question stays open, in milliseconds. @default 900000 */
  readonly expiresInMs?: number | undefined;
}
