import { MaivnSDKError } from '@svc/contracts/sdk-error';
import type { PlanUsage } from './plan-step.js';

/** Why a planner could not decide. */
export const PLANNER_ERROR_CODES = [
  /** The model or its service cannot be reached or answered with a server error, after all retries. */
  'PLANNER_UNAVAILABLE',
  /** The model's service refuses more requests for now, after all retries. */
  'PLANNER_RATE_LIMITED',
  /** The model's service refuses the request itself: bad key, unknown model, too long a conversation. */
  'PLANNER_REJECTED',
  /** The model declined to answer. */
  'PLANNER_REFUSED',
  /** The model's answer was cut off at its length limit, or is longer than it may be. */
  'PLANNER_LENGTH',
  /** The planner's steps broke the rules again and again. */
  'PLANNER_INVALID_STEP',
  /** The answer does not have the requested structure, after one repair. */
  'STRUCTURED_OUTPUT_INVALID',
  /** A tool that had to succeed did not. */
  'REQUIRED_TOOL_FAILED',
  /** The planner is configured wrongly. */
  'PLANNER_CONFIGURATION',
] as const;

/** Why a planner could not decide. */
export type PlannerErrorCode = (typeof PLANNER_ERROR_CODES)[number];

/** Codes after which the same run may succeed later without any change. */
const retryableCodes = new Set<PlannerErrorCode>(['PLANNER_UNAVAILABLE', 'PLANNER_RATE_LIMITED']);

/** A planner could not decide the next step. */
export class PlannerError extends MaivnSDKError {
  declare readonly code: PlannerErrorCode;
  /** Whether the same run may succeed later without any change. */
  readonly retryable: boolean;
  /** Tokens that were used all the same, where they are known. */
  usage?: PlanUsage;

  constructor(
    message: string,
    options: { code: PlannerErrorCode; details?: Record<string, unknown>; cause?: unknown },
  ) {
    super(message, options);
    this.retryable = retryableCodes.has(options.code);
  }
}
