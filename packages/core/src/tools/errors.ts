import { MaivnSDKError } from '@svc/contracts/sdk-error';

/**
 * A tool call failed. A tool can throw it to choose the code (`TOOL_FAILED` by default) and to say whether the call may be
 * retried.
 */
export class ToolError extends MaivnSDKError {
  /**
   * Whether the planner may retry the call with the same or other arguments. Without this option the planner decides;
   * `false` makes the failure final.
   */
  readonly isRetryable: boolean;
  /** @internal Whether it was said that no retry can help, rather than nothing. */
  readonly isFinal: boolean;

  constructor(
    message: string,
    options: {
      code?: string | undefined;
      isRetryable?: boolean | undefined;
      details?: Readonly<Record<string, unknown>> | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { ...options, code: options.code ?? 'TOOL_FAILED' });
    this.isRetryable = options.isRetryable ?? false;
    this.isFinal = options.isRetryable === false;
  }
}
