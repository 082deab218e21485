import type { RunRecord, SessionList, SessionSnapshot } from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { CancelRequestSchema } from '../../ingress/cancel-request.js';
import { parseBody } from '../../ingress/read-request.js';
import { cleanText, type KnownValues } from '../../ingress/session-values.js';
import { isJsonArray, isJsonObject, textOf } from '../../json-object.js';
import { findSession, readSessionState } from '../../sessions/record/find-session.js';
import { entryOf } from '../../sessions/record/session-record.js';
import { sessionSnapshot, sessionSummary } from '../../sessions/journal/snapshot.js';
import { callerOf } from '../authenticate.js';
import type { RouteContext } from '../route-context.js';

const ListQuerySchema = z.looseObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,15}\.[\w-]{1,64}$/)
    .optional(),
  thread_id: z.string().optional(),
  ended: z.enum(['true', 'false']).optional(),
});

/** The sessions of the key's project: a list, one of them, and how to end one. */
export function sessions(app: FastifyInstance, { store, manager, clock }: RouteContext): void {
  const readList = { config: { access: ['read'], basic: true } } as const;
  app.get('/sessions', readList, async (request): Promise<SessionList> => {
    const { limit, cursor, thread_id, ended } = parseBody(ListQuerySchema, request.query);
    const runs = await store.listRuns({
      projectId: callerOf(request).project,
      limit: limit + 1,
      ...(cursor === undefined ? {} : { before: readCursor(cursor) }),
      ...(thread_id === undefined ? {} : { threadId: thread_id }),
      ...(ended === undefined ? {} : { ended: ended === 'true' }),
    });
    const items = runs.slice(0, limit);
    const last = items.at(-1);
    const more = runs.length > limit && last;
    return {
      items: items.map(sessionSummary),
      ...(more ? { next_cursor: `${last.createdAtMs}.${last.sessionId}` } : {}),
    };
  });

  const readOne = { config: { access: ['run', 'read'], basic: true } } as const;
  app.get<{ Params: { sessionId: string } }>(
    '/sessions/:sessionId',
    readOne,
    async (request): Promise<SessionSnapshot> => {
      const record = await findSession(store, request.params.sessionId, callerOf(request));
      return sessionSnapshot(record, await readSessionState(store, record.sessionId), toolNames(record));
    },
  );

  const cancel = { config: { access: ['run'] } } as const;
  app.delete<{ Params: { sessionId: string } }>('/sessions/:sessionId', cancel, async (request, reply) => {
    const record = await findSession(store, request.params.sessionId, callerOf(request));
    const { sessionId } = record;
    const reason = cancelReason(
      parseBody(CancelRequestSchema.nullish(), request.body)?.reason,
      manager.valuesOf(record),
    );
    const entries = [entryOf('cancel', { code: 'RUN_CANCELLED', reason })];
    const { outcome } = await store.append(sessionId, { entries, nowMs: clock.nowMs() });
    // Cancelling is idempotent.
    const accepted = outcome === 'appended' || outcome === 'duplicate';
    void reply.code(accepted ? 202 : 200);
    return accepted ? { accepted } : { accepted, reason: 'ended' };
  });
}

/** The caller's reason, unless it may contain a private value. */
function cancelReason(reason: string | null | undefined, known: KnownValues): string {
  if (!reason?.trim() || known === 'gone') return 'Cancelled by the caller.';
  return known === 'none' ? reason : cleanText(reason, known);
}

function readCursor(cursor: string): { createdAtMs: number; sessionId: string } {
  const dot = cursor.indexOf('.');
  return { createdAtMs: Number(cursor.slice(0, dot)), sessionId: cursor.slice(dot + 1) };
}

function toolNames({ request }: RunRecord): Map<string, string> {
  const tools = isJsonObject(request) ? request['tools'] : undefined;
  if (!isJsonArray(tools)) return new Map();
  return new Map(
    tools.filter(isJsonObject).flatMap(({ tool_id, name }) => {
      const [id, text] = [textOf(tool_id), textOf(name)];
      return id === undefined || text === undefined ? [] : [[id, text] as const];
    }),
  );
}
