import { MaivnSDKError } from '@svc/contracts/sdk-error';
import type { InvokeResponse } from './invoke-response.js';

/** A run ended, but not well: failed, cancelled, interrupted, or with a result of the wrong shape. */
export class RunFailedError extends MaivnSDKError {
  /** What the orchestrator answered all the same. */
  readonly response: InvokeResponse;

  constructor(
    message: string,
    options: {
      code: string;
      response: InvokeResponse;
      details?: Readonly<Record<string, unknown>>;
      cause?: unknown;
    },
  ) {
    super(message, options);
    this.response = options.response;
    // A response is shown when it is asked for, not whenever the error is printed.
    Object.defineProperty(this, 'response', { enumerable: false });
  }
}
