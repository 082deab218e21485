import { FinalPayloadSchema, type FinalPayload } from '@svc/contracts/orchestrator';
import { ConnectionError } from '../http/errors.js';
import type { Logger } from '../logging/logger.js';

/** What goes along with an answer, and says nothing of how the run ended. */
const SIDE_FIELDS: readonly unknown[] = [
  'started_at',
  'completed_at',
  'messages',
  'metadata',
  'stop_reason',
  'token_usage',
] satisfies (keyof FinalPayload)[];

/** What says how the run ended, or what it came to. */
const END_FIELDS = [
  'status',
  'responses',
  'response',
  'result',
  'error',
  'error_info',
] as const satisfies (keyof FinalPayload)[];

/** Reads a `final`. A side field of another kind is left out, so that it costs nobody the answer; any other one is an error. */
export function parseFinal(payload: Readonly<Record<string, unknown>>, logger: Logger): FinalPayload {
  const strict = FinalPayloadSchema.safeParse(payload);
  if (strict.success) return requireEnd(strict.data);
  const odd = new Set(strict.error.issues.map(({ path }) => path[0]).filter((f) => SIDE_FIELDS.includes(f)));
  const kept = Object.fromEntries(Object.entries(payload).filter(([name]) => !odd.has(name)));
  const parsed = FinalPayloadSchema.safeParse(kept);
  if (!parsed.success) throw unreadable(strict.error);
  logger.warn('Fields of the final event cannot be read and are left out.', { fields: [...odd] });
  return requireEnd(parsed.data);
}

/** A `final` that says nothing, such as one whose data is no JSON, must not look like a success without an answer. */
function requireEnd(final: FinalPayload): FinalPayload {
  if (!END_FIELDS.some((field) => Object.hasOwn(final, field))) throw unreadable();
  return final;
}

function unreadable(cause?: unknown): ConnectionError {
  return new ConnectionError('The orchestrator ended the run with a final event that cannot be read.', {
    code: 'RUN_INVALID_FINAL',
    cause,
    isTransient: false,
  });
}
