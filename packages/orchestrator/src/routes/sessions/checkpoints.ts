import type { JsonValue } from '@svc/contracts';
import { CheckpointResumeRequestSchema } from '@svc/contracts/orchestrator';
import type { CheckpointResumeResponse } from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import { RequestError } from '../../errors.js';
import { parseBody } from '../../ingress/read-request.js';
import { cleanAnswer } from '../../ingress/session-values.js';
import { acceptAnswer } from '../../sessions/calls/accept-answer.js';
import { findSession } from '../../sessions/record/find-session.js';
import { sessionOfCheckpoint } from '../../sessions/calls/open-checkpoint.js';
import { callerOf } from '../authenticate.js';
import type { RouteContext } from '../route-context.js';

/** `POST /api/v1/checkpoints/:checkpointId/resume`: a person's answer, with which the session continues. */
export function checkpoints(app: FastifyInstance, { store, manager, clock }: RouteContext): void {
  const options = { config: { access: ['run'] } } as const;
  app.post<{ Params: { checkpointId: string } }>(
    '/api/v1/checkpoints/:checkpointId/resume',
    options,
    async (request): Promise<CheckpointResumeResponse> => {
      const { checkpointId } = request.params;
      const sessionId = sessionOfCheckpoint(checkpointId);
      if (sessionId === undefined) {
        throw new RequestError('There is no such checkpoint.', { code: 'CHECKPOINT_NOT_FOUND' });
      }
      const record = await findSession(store, sessionId, callerOf(request));
      const body = parseBody(CheckpointResumeRequestSchema, request.body);
      const known = manager.valuesOf(record);
      const clean = (value: JsonValue) => cleanAnswer(value, known);
      await acceptAnswer(body, { store, record, checkpointId, nowMs: clock.nowMs(), clean });
      return { session_id: sessionId };
    },
  );
}
