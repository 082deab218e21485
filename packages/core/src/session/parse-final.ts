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

/** Reads a `final`. A side field of another kind is left out, so that it costs nobody the answer; any other one is an error. */
export function parseFinal(payload: Readonly<Record<string, unknown>>, logger: Logger): FinalPayload {
  const strict = FinalPayloadSchema.safeParse(payload);
  if (strict.success) return strict.data;
  const odd = new Set(strict.error.issues.map(({ path }) => path[0]).filter((f) => SIDE_FIELDS.includes(f)));
  const kept = Object.fromEntries(Object.entries(payload).filter(([name]) => !odd.has(name)));
  const parsed = FinalPayloadSchema.safeParse(kept);
  if (!parsed.success) {
    throw new ConnectionError('The orchestrator ended the run with a final event that cannot be read.', {
      code: 'RUN_INVALID_FINAL',
      cause: strict.error,
      isTransient: false,
    });
  }
  logger.warn('Fields of the final event cannot be read and are left out.', { fields: [...odd] });
  return parsed.data;
}
