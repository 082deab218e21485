import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** A tool call failed. A tool may throw it to choose the code and whether calling again can help. */
export class ToolError extends MaivnSDKError {
  /** Whether the planner may call again with other or the same arguments. */
  readonly isRetryable: boolean;

  constructor(
    message: string,
    options: {
      code: string;
      isRetryable?: boolean | undefined;
      details?: Readonly<Record<string, unknown>> | undefined;
      cause?: unknown;
    },
  ) {
    super(message, options);
    this.isRetryable = options.isRetryable ?? false;
  }
}
