import { MaivnSDKError } from '@svc/contracts/sdk-error';
import type { InvokeResponse } from './invoke-response.js';

/** A run did not complete: it failed, was cancelled or interrupted, or its result does not match the schema. */
export class RunFailedError extends MaivnSDKError {
  /** The response of the run, as far as there is one. */
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
    // Printing the error must not print the whole response.
    Object.defineProperty(this, 'response', { enumerable: false });
  }
}
