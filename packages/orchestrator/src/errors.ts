import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** Why a request was refused, and with which HTTP status. */
export const HTTP_STATUS_BY_CODE = {
  INVALID_REQUEST: 422,
  INVALID_WHITELIST: 422,
  INVALID_JSON: 400,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BODY_TOO_LARGE: 413,
  KEY_MISSING: 401,
  KEY_INVALID: 401,
  HOST_FORBIDDEN: 403,
  PROJECT_FORBIDDEN: 403,
  OPERATION_FORBIDDEN: 403,
  ROUTE_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  CHECKPOINT_NOT_FOUND: 404,
  NOT_ACCEPTABLE: 406,
  RUN_ENDED: 409,
  CHECKPOINT_ANSWERED: 409,
  CHECKPOINT_MISMATCH: 409,
  CHECKPOINT_EXPIRED: 410,
  IDEMPOTENCY_KEY_REUSED: 422,
  DUPLICATE_TOOL: 422,
  TOOL_CYCLE: 422,
  UNKNOWN_TARGET: 422,
  TARGETS_CONFLICT: 422,
  NO_FINAL_TOOL: 422,
  SEVERAL_FINAL_TOOLS: 422,
  INVALID_ANSWER: 422,
  ORGANIZATION_FORBIDDEN: 403,
  MEMORY_NOT_FOUND: 404,
  MEMORY_DISABLED: 403,
  MEMORY_CONFLICT: 409,
  MEMORY_FULL: 409,
  RESOURCE_TOO_LARGE: 413,
  RECORD_TOO_LARGE: 413,
  PURGE_NOT_CONFIRMED: 422,
  QUOTA_EXCEEDED: 429,
  TOO_MANY_STREAMS: 503,
  DRAINING: 503,
  STORE_UNAVAILABLE: 503,
} as const satisfies Record<string, number>;

/** Why a request was refused. */
export type RequestErrorCode = keyof typeof HTTP_STATUS_BY_CODE;

/** A request that the orchestrator refuses. Its message and details are sent to the caller. */
export class RequestError extends MaivnSDKError {
  declare readonly code: RequestErrorCode;
  /** Seconds until a retry makes sense. */
  readonly retryAfterS?: number;

  constructor(
    message: string,
    options: {
      code: RequestErrorCode;
      details?: Record<string, unknown>;
      retryAfterS?: number;
      cause?: unknown;
    },
  ) {
    super(message, options);
    if (options.retryAfterS !== undefined) this.retryAfterS = options.retryAfterS;
  }

  get statusCode(): number {
    return HTTP_STATUS_BY_CODE[this.code];
  }
}
