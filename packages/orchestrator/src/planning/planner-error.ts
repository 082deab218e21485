import { MaivnSDKError } from '@svc/contracts/sdk-error';
import type { PlanUsage } from './plan-step.js';

/** The reasons why a planner could not decide. */
export const PLANNER_ERROR_CODES = [
  /** The model service could not be reached, or answered with a server error, after all retries. */
  'PLANNER_UNAVAILABLE',
  /** The model service accepts no more requests for now, after all retries. */
  'PLANNER_RATE_LIMITED',
  /** The model service rejected the request: bad key, unknown model, conversation too long. */
  'PLANNER_REJECTED',
  /** The model declined to answer. */
  'PLANNER_REFUSED',
  /** The model's answer was cut off at its length limit, or is longer than allowed. */
  'PLANNER_LENGTH',
  /** The planner returned something that is not a step, or its steps broke the rules repeatedly. */
  'PLANNER_INVALID_STEP',
  /** The answer does not have the requested structure, after one repair. */
  'STRUCTURED_OUTPUT_INVALID',
  /** A tool that had to succeed did not. */
  'REQUIRED_TOOL_FAILED',
  /** The planner's configuration is invalid. */
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
  /** Tokens that were used anyway, if known. */
  usage?: PlanUsage;

  constructor(
    message: string,
    options: { code: PlannerErrorCode; details?: Record<string, unknown>; cause?: unknown },
  ) {
    super(message, options);
    this.retryable = retryableCodes.has(options.code);
  }
}
