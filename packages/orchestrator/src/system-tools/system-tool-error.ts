import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** Why a system tool's call failed. The message and code are shown to the planner. */
export type SystemToolErrorCode =
  | 'SYSTEM_TOOL_UNKNOWN'
  | 'SYSTEM_TOOL_FAILED'
  | 'COMPOSE_FORBIDDEN'
  | 'COMPOSE_TARGET_UNKNOWN'
  | 'COMPOSE_EMPTY'
  | 'ADDRESS_REFUSED'
  | 'SEARCH_FAILED'
  | 'REPL_BUSY'
  | 'REPL_TIMEOUT'
  | 'REPL_MEMORY'
  | 'REPL_ERROR';

/** A failed call of a system tool. */
export class SystemToolError extends MaivnSDKError {
  declare readonly code: SystemToolErrorCode;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor(message: string, options: { code: SystemToolErrorCode; retryable?: boolean; cause?: unknown }) {
    super(message, options);
    this.retryable = options.retryable ?? false;
  }
}
