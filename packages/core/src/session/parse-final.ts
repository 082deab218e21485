import { FinalPayloadSchema, type FinalPayload } from '@svc/contracts/orchestrator';
import { ConnectionError } from '../http/errors.js';
import type { Logger } from '../logging/logger.js';

/** Fields that accompany an answer and do not say how the run ended. */
const SIDE_FIELDS: readonly unknown[] = [
  'started_at',
  'completed_at',
  'messages',
  'metadata',
  'stop_reason',
  'token_usage',
] satisfies (keyof FinalPayload)[];

/** Fields that say how the run ended or what its result is. */
const END_FIELDS = [
  'status',
  'responses',
  'response',
  'result',
  'error',
  'error_info',
] as const satisfies (keyof FinalPayload)[];

/**
 * Parses a `final`. An invalid side field is left out, so that the answer is not lost; any other invalid field is an
 * error.
 */
export function parseFinal(payload: Readonly<Record<string, unknown>>, logger: Logger): FinalPayload {
  const { responses } = payload;
  // The schema would report every invalid text, perhaps millions, in an error too long to be printed.
  if (Array.isArray(responses) && responses.some((text) => typeof text !== 'string')) throw unreadable();
  const strict = FinalPayloadSchema.safeParse(payload);
  if (strict.success) return requireEnd(strict.data);
  const odd = new Set(strict.error.issues.map(({ path }) => path[0]).filter((f) => SIDE_FIELDS.includes(f)));
  const kept = Object.fromEntries(Object.entries(payload).filter(([name]) => !odd.has(name)));
  const parsed = FinalPayloadSchema.safeParse(kept);
  if (!parsed.success) throw unreadable(strict.error);
  logger.warn('Ignored invalid fields of the final event.', { fields: [...odd] });
  return requireEnd(parsed.data);
}

/** Refuses an empty `final`, such as one whose data is not JSON: it must not look like a success without an answer. */
function requireEnd(final: FinalPayload): FinalPayload {
  if (!END_FIELDS.some((field) => Object.hasOwn(final, field))) throw unreadable();
  return final;
}

function unreadable(cause?: unknown): ConnectionError {
  return new ConnectionError('The orchestrator ended the run with an invalid final event.', {
    code: 'RUN_INVALID_FINAL',
    cause,
    isTransient: false,
  });
}
