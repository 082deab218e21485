import { MaivnSDKError, type MaivnSDKErrorOptions } from '@svc/contracts/sdk-error';

/** What a {@link MaivnHTTPError} tells of the service's refusal. */
export interface HttpRefusal {
  statusCode: number;
  /** The standard reason of the status, such as `Forbidden`. */
  reason: string;
  /** The service's own code, if it sent one. */
  code?: string | undefined;
  /** What else the service said: its text or its details. */
  detail?: unknown;
  /** How long the service asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/** The service refused a request. Look at `statusCode` and `code`, never at the message. */
export class MaivnHTTPError extends MaivnSDKError {
  /** The HTTP status, such as 403. */
  readonly statusCode: number;
  /** Its standard name, such as `Forbidden`. */
  readonly reason: string;
  /** What the service said, as it said it; undefined when it said nothing that can be read. */
  readonly detail?: unknown;
  /** How long the service asks to wait, in milliseconds; undefined when it does not. */
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

/** The project's plan allows no more (429 `plan_limit_exceeded`). Waiting does not help, so it is never retried. */
export class PlanLimitExceededError extends MaivnHTTPError {}

/** No usable answer came: refused, reset, timed out, closed or unreadable. */
export class ConnectionError extends MaivnSDKError {
  /** Whether the same request may succeed when sent again. */
  readonly isTransient: boolean;

  constructor(message: string, options: MaivnSDKErrorOptions & { isTransient: boolean }) {
    super(message, options);
    this.isTransient = options.isTransient;
  }
}
