import { ResumeValueSchema } from '@svc/contracts/orchestrator';
import type { ResumeResponse } from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import { readResumeRequest } from '../../ingress/read-request.js';
import { cleanResult } from '../../ingress/session-values.js';
import { acceptResult } from '../../sessions/calls/accept-result.js';
import { findSession, readSessionState } from '../../sessions/record/find-session.js';
import { callerOf } from '../authenticate.js';
import type { RouteContext } from '../route-context.js';

/** `POST /sessions/:sessionId/resume`: the result of a call. */
export function toolResults(app: FastifyInstance, context: RouteContext): void {
  const { store, manager, clock } = context;
  const options = { config: { access: ['run'] } } as const;
  app.post<{ Params: { sessionId: string } }>(
    '/sessions/:sessionId/resume',
    options,
    async (request): Promise<ResumeResponse> => {
      const record = await findSession(store, request.params.sessionId, callerOf(request));
      const { sessionId } = record;
      const { value } = readResumeRequest(request.body);
      const result = ResumeValueSchema.safeParse(value);
      // An answer keyed by an event id is for `interrupt_request`, which this orchestrator never sends.
      if (!result.success) return { accepted: false, reason: 'unknown' };
      const callId = result.data.tool_event_id;
      const readState = async () => {
        const running = manager.stateOf(sessionId);
        // This process's state may lag behind, so only an open call in it is certain.
        const call = running?.calls.get(callId);
        return running && call?.sentAtMs !== undefined && !call.outcome
          ? running
          : readSessionState(store, sessionId);
      };
      const clean = cleanResult(result.data, manager.valuesOf(record));
      return acceptResult(clean, { store, sessionId, nowMs: clock.nowMs(), readState });
    },
  );
}
