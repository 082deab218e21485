import type { ToolContext } from '../../../tools/declaration/tool.js';
import type { ToolQuestion } from '../../../tools/reports/tool-reports.js';

/** A tool, as listed for clients. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly outputSchema?: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations?: Readonly<Record<string, boolean | string>>;
}

/** The result of a call. A failure is a result too, so that the client's model can read the reason. */
export interface OfferedResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured?: Readonly<Record<string, unknown>>;
}

/** The client's side of one call. */
export interface Caller extends Pick<ToolContext, 'sessionId' | 'reportProgress' | 'reportLog'> {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Asks the person at the client; rejects if nobody can be asked or nobody answers. */
  ask(question: ToolQuestion): Promise<string | number | boolean>;
}

/** The tools that a server offers. */
export interface Offer {
  listTools(): readonly OfferedTool[];
  /**
   * Calls a listener whenever the offered tools change; returns a function that removes it. Undefined if they never
   * change.
   */
  readonly watchTools?: ((listener: () => void) => () => void) | undefined;
  /** Calls a tool; returns undefined for an unknown tool. */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<OfferedResult> | undefined;
}
