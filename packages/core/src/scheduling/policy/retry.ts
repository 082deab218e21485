import { isSdkError } from '@svc/contracts/sdk-error';
import * as z from 'zod';
import { MissingCredentialError } from '../../auth/errors.js';
import { ConfigurationError } from '../../config/errors.js';
import type { ShapeOf } from '../../config/options.js';
import { parseOptions } from '../errors.js';

const BACKOFFS = ['constant', 'linear', 'exponential'] as const;

/** Options for retrying failed fires. */
export interface RetryOptions {
  /** The maximum number of attempts, including the first. @default 1 */
  maxAttempts?: number | undefined;
  /** How the delay grows from attempt to attempt. @default 'exponential' */
  backoff?: (typeof BACKOFFS)[number] | undefined;
  /** The delay before the second attempt, in milliseconds. @default 5000 */
  baseMs?: number | undefined;
  /** The factor of an exponential delay. @default 2 */
  factor?: number | undefined;
  /** The maximum delay, in milliseconds. @default 600000 */
  maxDelayMs?: number | undefined;
  /** Returns whether to retry after an error. @default all errors except refusals and configuration errors */
  retryOn?: ((error: unknown, attempt: number) => boolean) | undefined;
  /**
   * Whether a fire whose process died is run again, although its effects are unknown. It requires a store, and the
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

/** Validated retry options. */
export type RetryPolicy = z.output<typeof RetryOptionsSchema>;

/** Parses retry options. */
export function parseRetry(options: RetryOptions): RetryPolicy {
  return parseOptions(RetryOptionsSchema, options, 'withRetry()');
}

/** Returns the delay before an attempt after the first one, which is attempt 1, in milliseconds. */
export function retryDelayMs(policy: RetryPolicy, attempt: number): number {
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

/** Whether a retry may succeed: not after refusals and configuration errors. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof ConfigurationError || error instanceof MissingCredentialError) return false;
  if (isSdkError(error, 'plan_limit_exceeded')) return false;
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
