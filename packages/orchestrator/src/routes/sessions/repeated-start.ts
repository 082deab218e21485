import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord, RunStore, SessionRequest } from '@svc/contracts/orchestrator';
import { RequestError } from '../../errors.js';
import { withoutMarks } from '../../sessions/record/run-marks.js';

const sendable = /^[\x21-\x7e]{1,255}$/;

/**
 * The id of the session that a start with this `Idempotency-Key` opens, always the same within a project, so that a
 * client that got no response can send the start again. @throws RequestError `INVALID_REQUEST`
 */
export function sessionIdOf(key: string, project: string): string {
  if (!sendable.test(key)) {
    throw new RequestError('An Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.', {
      code: 'INVALID_REQUEST',
    });
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([project, key]))
    .digest('hex');
  return `sess_${hash.slice(0, 32)}`;
}

/** The session that an earlier start opened, if there was one. @throws RequestError `IDEMPOTENCY_KEY_REUSED` */
export async function findStarted(
  store: RunStore,
  sessionId: string,
  start: { request: SessionRequest; threadId: string | undefined },
): Promise<RunRecord | undefined> {
  const record = await store.readRun(sessionId);
  if (!record) return undefined;
  const isSame =
    record.threadId === start.threadId &&
    isDeepStrictEqual(withoutMarks(record.request), JSON.parse(JSON.stringify(start.request)));
  if (isSame) return record;
  throw new RequestError(
    'This Idempotency-Key was used for a different request; use a new key for each start.',
    {
      code: 'IDEMPOTENCY_KEY_REUSED',
    },
  );
}
