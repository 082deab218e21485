import { MaivnSDKError, type MaivnSDKErrorOptions } from '@svc/contracts/sdk-error';

/** The refusal of a request by the service, for a {@link MaivnHTTPError}. */
export interface HttpRefusal {
  statusCode: number;
  /** The standard reason phrase of the status, such as `Forbidden`. */
  reason: string;
  /** The service's own code, if it sent one. */
  code?: string | undefined;
  /** The details of the service's response, or its message. */
  detail?: unknown;
  /** How long the service asks the caller to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/** The service refused a request. Decide by `statusCode` and `code`, never by the message. */
export class MaivnHTTPError extends MaivnSDKError {
  /** The HTTP status code, such as 403. */
  readonly statusCode: number;
  /** The standard reason phrase of the status, such as `Forbidden`. */
  readonly reason: string;
  /** The details of the service's response, unchanged; undefined if there were none that could be parsed. */
  readonly detail?: unknown;
  /** How long the service asks the caller to wait, in milliseconds; undefined if it does not. */
  readonly retryAfterMs?: number;

  constructor(message: string, refusal: HttpRefusal) {
    super(message, {
      code: refusal.code ?? `HTTP_${refusal.statusCode}`,
      details: { status_code: refusal.statusCode, reason: refusal.reason },
    });
    this.statusCode = refusal.statusCode;
    this.reason = refusal.reason;
    if (refusal.detail !== undefined) this.detail = refusal.detail;
    if (refusal.retryAfterMs !== undefined) this.retryAfterMs = refusal.retryAfterMs;
  }
}

/**
 * The limit of the project's plan is exceeded (429 `plan_limit_exceeded`). Waiting does not help, so it is never
 * retried.
 */
export class PlanLimitExceededError extends MaivnHTTPError {}

/** There was no usable response: the connection was refused, reset or closed, or the response timed out or was invalid. */
export class ConnectionError extends MaivnSDKError {
  /** Whether the same request may succeed if it is sent again. */
  readonly isTransient: boolean;

  constructor(message: string, options: MaivnSDKErrorOptions & { isTransient: boolean }) {
    super(message, options);
    this.isTransient = options.isTransient;
  }
}
