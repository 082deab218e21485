import { randomUUID } from 'node:crypto';
import { isSdkError } from '@svc/contracts/sdk-error';
import type { AgentRun } from '@svc/core';
import { HumanMessage } from '@svc/core/messages';
import { EventBridge } from '@svc/events';
import type { FastifyInstance } from 'fastify';
import type { DemoAgents } from '../agents/create-agents.js';
import { AnswerSchema, ApiError, StartRunSchema, parseBody } from './bodies.js';
import { followRun } from './follow-run.js';
import type { DemoSession, DemoSessions } from './sessions.js';

type SessionRequest = { Params: { sessionId: string } };

const titleLength = 80;

function findSession(sessions: DemoSessions, id: string): DemoSession {
  const session = sessions.get(id);
  if (!session)
    throw new ApiError(
      404,
      'SESSION_NOT_FOUND',
      `There is no session "${id.slice(0, 128)}"; start one with POST /api/runs.`,
    );
  return session;
}

function createSession(sessions: DemoSessions, app: FastifyInstance, title: string): DemoSession {
  const session: DemoSession = {
    id: randomUUID(),
    title: title.slice(0, titleLength),
    createdAt: new Date().toISOString(),
    mode: 'agent',
    turns: 0,
    firstEventId: undefined,
    run: undefined,
  };
  const { added, removed } = sessions.add(session);
  for (const id of removed) void app.eventBridges.remove(id);
  if (!added)
    throw new ApiError(503, 'SESSIONS_BUSY', 'Every session is busy; stop one or wait for one to end.');
  return session;
}

/** Opens the session's bridge for a new turn and emits the question, so that every tab can show it. */
async function openTurn(
  app: FastifyInstance,
  session: DemoSession,
  question: { text: string; agents: DemoAgents },
): Promise<EventBridge> {
  const { text, agents } = question;
  const privateValues = () => [...agents.agent.privateValues(), ...agents.swarm.privateValues()];
  const bridge = app.eventBridges.getOrCreate(
    session.id,
    (id) =>
      new EventBridge(id, {
        audience: 'frontend_safe',
        privateValues,
        logger: app.log,
        dedupeInterrupts: false,
      }),
  );
  if (session.turns > 0) await bridge.reopen();
  session.turns += 1;
  await bridge.emitSessionStart({ sessionId: session.id, assistantId: 'assistant' });
  session.firstEventId ??= (await bridge.history())[0]?.id;
  await bridge.emit('demo_question', {
    contract_version: 'v1',
    event_name: 'demo_question',
    event_kind: 'custom',
    text,
  });
  return bridge;
}

/** Passes the answer to the run; an invalid or unexpected answer is an error of the caller. */
async function giveAnswer(run: AgentRun, interruptId: string, value: unknown): Promise<void> {
  try {
    await run.answer(interruptId, value);
  } catch (error) {
    if (isSdkError(error, 'INTERRUPT_NOT_OPEN')) throw new ApiError(409, error.code, error.message);
    if (isSdkError(error, 'INTERRUPT_ANSWER_INVALID')) throw new ApiError(400, error.code, error.message);
    throw error;
  }
}

/** The demo's API: start a run, answer its questions, stop it, list the sessions. */
export function addRunRoutes(
  app: FastifyInstance,
  { agents, sessions }: { agents: DemoAgents; sessions: DemoSessions },
): void {
  // Tells a page that its session is gone; the stream alone would wait for it.
  app.addHook<SessionRequest>('preHandler', async (request) => {
    if (request.routeOptions.url === '/svc/events/:sessionId')
      findSession(sessions, request.params.sessionId);
  });

  app.post('/api/runs', async (request, reply) => {
    const { message, session_id: sessionId, mode } = parseBody(StartRunSchema, request.body);
    const session =
      sessionId === undefined ? createSession(sessions, app, message) : findSession(sessions, sessionId);
    if (session.run)
      throw new ApiError(409, 'RUN_IN_PROGRESS', 'This session is busy; answer or stop its run first.');
    session.mode = mode ?? session.mode;
    const scope = session.mode === 'swarm' ? agents.swarm : agents.agent;
    const run = scope.stream([new HumanMessage(message)], { threadId: session.id });
    session.run = run;
    const bridge = await openTurn(app, session, { text: message, agents });
    void followRun(run, bridge).finally(() => {
      session.run = undefined;
    });
    return reply.code(202).send({ session_id: session.id });
  });

  app.post<SessionRequest>('/api/runs/:sessionId/answers', async (request, reply) => {
    const { interrupt_id: interruptId, value } = parseBody(AnswerSchema, request.body);
    const session = findSession(sessions, request.params.sessionId);
    if (!session.run)
      throw new ApiError(409, 'RUN_NOT_ACTIVE', 'No run of this session is waiting for an answer.');
    await giveAnswer(session.run, interruptId, value);
    await app.eventBridges.get(session.id)?.emit('demo_interrupt_answered', {
      contract_version: 'v1',
      event_name: 'demo_interrupt_answered',
      event_kind: 'custom',
      interrupt_id: interruptId,
    });
    return reply.code(202).send({ session_id: session.id });
  });

  app.post<SessionRequest>('/api/runs/:sessionId/cancel', async (request, reply) => {
    const session = findSession(sessions, request.params.sessionId);
    session.run?.cancel('Stopped by the user.');
    return reply.code(202).send({ session_id: session.id });
  });

  app.get('/api/sessions', async () => ({
    sessions: sessions.list().map(({ id, title, createdAt, firstEventId, run }) => ({
      session_id: id,
      title,
      created_at: createdAt,
      first_event_id: firstEventId ?? null,
      running: run !== undefined,
    })),
  }));
}
