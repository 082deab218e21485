import type { ServerResponse } from 'node:http';
import type { EventHistory, JournalRecord, RunRecord } from '@svc/contracts/orchestrator';
import { encodeFrame } from '@svc/contracts/sse';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../../errors.js';
import { errorFacts } from '../../logger.js';
import { findSession } from '../../sessions/record/find-session.js';
import { decodeEvent } from '../../sessions/record/decode-record.js';
import { acceptedForm } from './accepted-form.js';
import { callerOf } from '../authenticate.js';
import { cursorSeq, eventFrame, hasFinal, heartbeatFrame } from './event-frame.js';
import { FrameWriter } from './frame-writer.js';
import type { RouteContext } from '../route-context.js';
import type { StreamEnd } from '../../streams/stream-registry.js';

const historyPage = 500;
/** How long a stream waits for the `final` of its run, if the run's key has been revoked. */
const finalWithinMs = 1000;
/** How long a reader may take to receive the end of a stream that the server ends. */
const cutAfterMs = 1000;
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

interface EventsRoute {
  Params: { sessionId: string };
  Querystring: { last_event_id?: string };
}

/**
 * `GET /sessions/:sessionId/events`: the session's events from the cursor until its `final`, or as JSON those so far.
 */
export function streamEvents(app: FastifyInstance, context: RouteContext): void {
  const route = { config: { access: ['run', 'read'], basic: true } } as const;
  app.get<EventsRoute>('/sessions/:sessionId/events', route, async (request, reply) => {
    const caller = callerOf(request);
    const record = await findSession(context.store, request.params.sessionId, caller);
    if (negotiate(request) === 'json') return readHistory(record, context);
    if (request.method === 'HEAD') return reply.headers(streamHeaders).send();
    await streamTo(reply, { record, context, keyId: caller.keyId, cursor: cursorOf(request) });
    return reply;
  });
}

function negotiate({ headers: { accept } }: FastifyRequest): 'json' | 'sse' {
  const form = acceptedForm(accept);
  if (form) return form;
  throw new RequestError('A session can be read only as text/event-stream or application/json.', {
    code: 'NOT_ACCEPTABLE',
  });
}

function cursorOf(request: FastifyRequest<EventsRoute>): string | undefined {
  const header = request.headers['last-event-id'];
  const { last_event_id: query } = request.query;
  return typeof header === 'string' ? header : typeof query === 'string' ? query : undefined;
}

interface StreamOptions {
  readonly record: RunRecord;
  readonly context: RouteContext;
  readonly keyId: string;
  readonly cursor: string | undefined;
}

async function streamTo(
  reply: FastifyReply,
  { record, context, keyId, cursor }: StreamOptions,
): Promise<void> {
  const response = reply.raw;
  const incoming = reply.request.raw;
  const abort = new AbortController();
  let ended: StreamEnd | undefined;
  let cancelCut: (() => void) | undefined;
  let cancelWait: (() => void) | undefined;
  const stop = () => {
    abort.abort();
    cancelCut ??= context.clock.after(cutAfterMs, () => response.destroy());
  };
  const { sessionId, projectId } = record;
  const ownRun = record.keyId === keyId ? sessionId : undefined;
  const end = (reason?: StreamEnd) => {
    ended ??= reason;
    // The run of a revoked key ends too, and its `final` says so better than an error could.
    if (reason && ownRun) cancelWait ??= context.clock.after(finalWithinMs, stop);
    else stop();
  };
  const remove = context.streams.add({ keyId, projectId, ownRun, end });
  reply.hijack();
  const leave = () => {
    abort.abort();
    cancelWait?.();
    cancelCut?.();
    remove();
  };
  if (response.destroyed || incoming.socket.destroyed) return leave();
  response.on('close', leave);
  // A pipelined response has no socket until those before it are done, so it would not learn that the connection
  // closed.
  if (response.socket === null) incoming.once('aborted', leave);
  response.on('error', () => abort.abort());
  response.writeHead(200, streamHeaders);
  // Without this, a reader that reconnects to a quiet run would receive nothing until the first heartbeat.
  response.flushHeaders();
  const writer = new FrameWriter(response);
  const stopHeartbeat = startHeartbeat(response, context);
  try {
    const afterSeq = cursorSeq(cursor, record.lastSeq);
    for await (const batch of context.store.follow(sessionId, { afterSeq, signal: abort.signal })) {
      const frames = batch.map((each) => eventFrame(sessionId, each)).join('');
      await writer.write(frames, abort.signal);
      // The end is sent together with the final: a reader that has that one leaves, and would have to cut its connection.
      if (hasFinal(frames)) break;
    }
  } catch (error) {
    // The response has begun, so it can only end: the reader reconnects with its cursor.
    context.logger.error({ session_id: sessionId, error: errorFacts(error) }, 'stream failed');
  } finally {
    stopHeartbeat();
    writer.flush();
    response.end(ended && abort.signal.aborted ? endFrame(ended) : undefined);
  }
}

/** Sends heartbeats until the returned function is called. */
function startHeartbeat(response: ServerResponse, { clock, heartbeatIntervalMs }: RouteContext): () => void {
  let cancel: () => void;
  const schedule = () => {
    cancel = clock.after(heartbeatIntervalMs, () => {
      if (!response.writableNeedDrain) response.write(heartbeatFrame);
      schedule();
    });
  };
  schedule();
  return () => cancel();
}

function endFrame({ code, message }: StreamEnd): string {
  return encodeFrame({ event: 'error', data: JSON.stringify({ error: message, details: { code } }) });
}

async function readHistory(record: RunRecord, { store }: RouteContext): Promise<EventHistory> {
  const items: EventHistory['items'] = [];
  let afterSeq = 0;
  for (;;) {
    const page = await store.readJournal(record.sessionId, { afterSeq, limit: historyPage });
    items.push(...page.flatMap((each) => storedEvent(record.sessionId, each)));
    afterSeq = page.at(-1)?.seq ?? afterSeq;
    if (page.length < historyPage) return { items };
  }
}

function storedEvent(sessionId: string, record: JournalRecord): EventHistory['items'] {
  const event = decodeEvent(sessionId, record);
  if (!event) return [];
  const { name, payload } = event.data;
  return [{ id: String(event.seq), name, payload, at: new Date(event.atMs).toISOString() }];
}
