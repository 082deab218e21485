import { ORCHESTRATOR_PATHS, PROTOCOL_VERSION } from '@svc/contracts/orchestrator';
import type { SessionRequest, StartSessionResponse } from '@svc/contracts/orchestrator';
import type { JsonObject } from '@svc/contracts';
import type { FastifyInstance } from 'fastify';
import { isSdkError } from '@svc/contracts/sdk-error';
import { RequestError } from '../../errors.js';
import { hidePrivateData } from '../../ingress/hide-private-data.js';
import { hideThreadId } from '../../ingress/hide-thread-id.js';
import { tooManySessions } from '../../ingress/quota.js';
import { readStartRequest } from '../../ingress/read-request.js';
import { refuseLargeFiles } from '../../memory/resources/refuse-large-files.js';
import { isStorable } from '../../storable-text.js';
import { readTraceParent } from '../../trace-parent.js';
import { ASSISTANT_ID } from '../../sessions/journal/emit.js';
import type { Caller } from '../../keys/key-ring.js';
import { callerOf } from '../authenticate.js';
import { findStarted, sessionIdOf } from './repeated-start.js';
import type { RouteContext } from '../route-context.js';

const maxThreadId = 256;

/**
 * `POST /start-session`: opens a session. Its run is stored before the response is sent. A repeated start with the same
 * `Idempotency-Key` opens nothing and gets the same response.
 */
export function startSession(app: FastifyInstance, context: RouteContext): void {
  const options = { bodyLimit: context.limits.startBodyBytes, config: { access: ['run'] } } as const;
  app.post('/start-session', options, async (request): Promise<StartSessionResponse> => {
    const caller = callerOf(request);
    const { state, thread_id } = readStartRequest(request.body);
    const callerThreadId = readThreadId(thread_id);
    refuseLargeFiles(state);
    const { project } = caller;
    const key = request.headers['idempotency-key'];
    const sessionId = typeof key === 'string' ? sessionIdOf(key, project) : `sess_${context.randomText(22)}`;
    const isKnown = key !== undefined && (await context.store.readRun(sessionId)) !== undefined;
    if (!isKnown) {
      if (context.isDraining() && !isForOpenRun(state, caller, context)) {
        throw new RequestError('This orchestrator is shutting down.', { code: 'DRAINING', retryAfterS: 1 });
      }
      // Counted first: hiding takes longer than everything else.
      await context.quota.take(project);
    }
    const hidden = hidePrivateData(state);
    const threadId =
      callerThreadId && hideThreadId(callerThreadId, { matcher: hidden.values?.matcher, project });
    const base = context.baseUrl(request);
    const answer = () => ({
      session_id: sessionId,
      events_url: base + ORCHESTRATOR_PATHS.events(sessionId),
      resume_url: base + ORCHESTRATOR_PATHS.resume(sessionId),
      assistant_id: ASSISTANT_ID,
      protocol_version: PROTOCOL_VERSION,
      ...(threadId === undefined ? {} : { thread_id: threadId }),
    });
    const start = { request: hidden.request, threadId };
    const isRepeated = async () => (await findStarted(context.store, sessionId, start)) !== undefined;
    if (isKnown && (await isRepeated())) return answer();
    const run = {
      sessionId,
      projectId: project,
      keyId: caller.keyId,
      organization: caller.organization,
      labels: labelsOf(state),
      ...(hidden.summary ? { redaction: hidden.summary } : {}),
      ...(hidden.values ? { sentValues: hidden.values } : {}),
      maxOpenRuns: context.limits.openSessionsPerProject,
      traceParent: readTraceParent(request.headers['traceparent']),
      ...(threadId === undefined ? {} : { threadId }),
    };
    try {
      await context.manager.start(run, hidden.request);
    } catch (error) {
      if (isSdkError(error, 'TOO_MANY_RUNS')) throw tooManySessions(run.maxOpenRuns);
      // The same start arrived twice at once.
      if (!isSdkError(error, 'RUN_EXISTS') || !(await isRepeated())) throw error;
    }
    return answer();
  });
}

/** While draining, a run in this process may still need sessions for its members. */
function isForOpenRun(
  { swarm_config: swarm }: SessionRequest,
  { project }: Caller,
  { manager }: RouteContext,
): boolean {
  return swarm?.parent_session_id ? manager.isAtWork(swarm.parent_session_id, project) : false;
}

function readThreadId(threadId: string | null | undefined): string | undefined {
  if (threadId == null || threadId === '') return undefined;
  if (threadId.length <= maxThreadId && isStorable(threadId)) return threadId;
  throw new RequestError(
    `\`thread_id\` must have at most ${maxThreadId} characters, with no NUL and no unpaired surrogate.`,
    { code: 'INVALID_REQUEST' },
  );
}

function labelsOf({ swarm_config: swarm }: SessionRequest): JsonObject {
  return {
    ...(swarm?.swarm_name ? { swarm_name: swarm.swarm_name } : {}),
    ...(swarm?.invoked_agent_name ? { agent_name: swarm.invoked_agent_name } : {}),
  };
}
