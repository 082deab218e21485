import type { ToolContext } from '../../tools/tool.js';
import type { ToolQuestion } from '../../tools/tool-reports.js';

/** A tool as a client is told of it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly outputSchema?: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations?: Readonly<Record<string, boolean | string>>;
}

/** What a call comes to. A failed one is a result too, so that the client's model can read why. */
export interface OfferedResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured?: Readonly<Record<string, unknown>>;
}

/** The client's side of one call. */
export interface Caller extends Pick<ToolContext, 'sessionId' | 'reportProgress' | 'reportLog'> {
  /** Aborts when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Asks the person at the client; rejects when there is none to ask, or nobody answers. */
  ask(question: ToolQuestion): Promise<string | number | boolean>;
}

/** What a server offers. */
export interface Offer {
  listTools(): readonly OfferedTool[];
  /** Tells whenever other tools are offered, until the function that it gives back is called. Undefined where they stay the same. */
  readonly watchTools?: ((listener: () => void) => () => void) | undefined;
  /** Undefined when there is no such tool. */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<OfferedResult> | undefined;
}
