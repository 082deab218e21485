import { isSdkError } from '@svc/contracts/sdk-error';
import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { parseOptions } from './errors.js';

const BACKOFFS = ['constant', 'linear', 'exponential'] as const;

/** When a failed fire is tried again. */
export interface RetryOptions {
  /** How often a fire is tried, the first time included. @default 1 */
  maxAttempts?: number | undefined;
  /** How the wait grows from attempt to attempt. @default 'exponential' */
  backoff?: (typeof BACKOFFS)[number] | undefined;
  /** The wait before the second attempt, in milliseconds. @default 5000 */
  baseMs?: number | undefined;
  /** What an exponential wait is multiplied with each time. @default 2 */
  factor?: number | undefined;
  /** The longest wait, in milliseconds. @default 600000 */
  maxDelayMs?: number | undefined;
  /** Whether a failure is worth another attempt. @default all but refusals and wrong configuration */
  retryOn?: ((error: unknown, attempt: number) => boolean) | undefined;
  /**
   * Whether a fire that died with its process is run again; what it did is not known. It needs a store, and the
   * interrupted attempt counts. @default false
   */
  retryInterrupted?: boolean | undefined;
}

const RetryOptionsSchema = z.strictObject({
  maxAttempts: z.int().min(1).default(1),
  backoff: z.enum(BACKOFFS).default('exponential'),
  baseMs: z.number().min(0).default(5_000),
  factor: z.number().positive().default(2),
  maxDelayMs: z.number().min(0).default(600_000),
  retryOn: z
    .custom<(error: unknown, attempt: number) => boolean>(
      (value) => typeof value === 'function',
      'must be a function',
    )
    .optional(),
  retryInterrupted: z.boolean().default(false),
} satisfies ShapeOf<RetryOptions>);

/** When a failed fire is tried again, checked. */
export type RetryPolicy = z.output<typeof RetryOptionsSchema>;

/** Reads the retry options. */
export function parseRetry(given: RetryOptions): RetryPolicy {
  return parseOptions(RetryOptionsSchema, given, 'withRetry()');
}

/** How long to wait before an attempt, in milliseconds; the first one is attempt 1. */
export function retryDelayMs(policy: RetryPolicy, attempt: number): number {
  if (attempt <= 1) return 0;
  return Math.min(policy.maxDelayMs, GROWTH[policy.backoff](policy, attempt));
}

const GROWTH = {
  constant: ({ baseMs }) => baseMs,
  linear: ({ baseMs }, attempt) => baseMs * (attempt - 1),
  exponential: ({ baseMs, factor }, attempt) => baseMs * factor ** (attempt - 2),
} satisfies Record<(typeof BACKOFFS)[number], (policy: RetryPolicy, attempt: number) => number>;

/** Whether another attempt follows a failed one. */
export function shouldRetry(policy: RetryPolicy, error: unknown, attempt: number): boolean {
  if (attempt >= policy.maxAttempts) return false;
  return policy.retryOn ? policy.retryOn(error, attempt) : isWorthRetrying(error);
}

/** Answers that come out the same however often one asks: refusals, and what the caller has to mend. */
function isWorthRetrying(error: unknown): boolean {
  if (isSdkError(error) && (error.code.startsWith('CONFIG_') || error.code === 'plan_limit_exceeded'))
    return false;
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return true;
  const { statusCode } = error;
  return (
    typeof statusCode !== 'number' ||
    statusCode < 400 ||
    statusCode >= 500 ||
    statusCode === 408 ||
    statusCode === 429
  );
}
