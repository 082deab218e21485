import { STREAM_GAP_EVENT_NAME } from '@svc/contracts/event-names';
import type { Finding } from './checks.js';
import { UsageError } from '../terminal.js';
import { observe, type Look, type Observation, type ObservedFrame } from './observe.js';

const check = 'resume';
/** A cursor that no server issued: ours answers it with a gap. */
const unknownCursor = 'svc-doctor';

const eventsOf = (frames: readonly ObservedFrame[]) => frames.filter((frame) => frame.kind === 'event');

const hasEvent = (frames: readonly ObservedFrame[]) => eventsOf(frames).length > 0;

function lookWithHeader(look: Look, cursor: string): Promise<Observation> {
  // Browsers encode ids with non-ASCII characters this way.
  const headers = { ...look.headers, 'last-event-id': Buffer.from(cursor).toString('latin1') };
  return observe({ ...look, headers }, hasEvent);
}

function lookWithQuery(look: Look, cursor: string): Promise<Observation> {
  const url = new URL(look.url);
  url.searchParams.set('last_event_id', cursor);
  return observe({ ...look, url }, hasEvent);
}

/** @throws UsageError if the request was refused; 204 means that the session has ended meanwhile. */
function assertAnswered({ status }: Observation): void {
  if (status !== 200 && status !== 204) throw new UsageError(`the answer was ${status}`);
}

const repeatsNothing = (seen: ReadonlySet<string>, observation: Observation) =>
  !eventsOf(observation.frames).some((frame) => frame.id !== undefined && seen.has(frame.id));

const headerDropped: Finding = {
  check,
  level: 'failure',
  what: 'the Last-Event-ID header does not reach the server, but the query parameter does',
  fix: 'Let the Last-Event-ID request header pass; browsers resume with it.',
};

/**
 * Whether a client that reconnects continues where it was: with the id of the last event seen nothing is repeated, and
 * an unknown cursor is answered with `stream_gap`.
 *
 * @throws UsageError if reconnecting is refused or gets no answer.
 */
export async function checkResume(first: Observation, look: Look): Promise<Finding> {
  const ids = eventsOf(first.frames).flatMap((frame) => frame.id ?? []);
  const last = ids.at(-1);
  const afterUnknownCursor = await lookWithHeader(look, unknownCursor);
  const reaches = eventsOf(afterUnknownCursor.frames)[0]?.event === STREAM_GAP_EVENT_NAME;
  if (last === undefined) {
    assertAnswered(afterUnknownCursor);
    return reaches
      ? { check, level: 'ok', what: 'the cursor reaches the server' }
      : {
          check,
          level: 'unknown',
          what: 'no event arrived to resume after',
          fix: 'Start a run in this session and try again.',
        };
  }
  const afterLast = await lookWithHeader(look, last);
  assertAnswered(afterLast);
  const seen = new Set(ids);
  if (repeatsNothing(seen, afterLast)) {
    // A server that reports no gap starts over for the unknown cursor, so it must have read the one it issued.
    if (reaches || !repeatsNothing(seen, afterUnknownCursor))
      return { check, level: 'ok', what: 'nothing was repeated after the last id' };
    return {
      check,
      level: 'unknown',
      what: 'the events after a reconnect do not show whether the cursor is read',
      fix: 'Fix the failures above, or try again during a run.',
    };
  }
  if (!reaches && repeatsNothing(seen, await lookWithQuery(look, last))) return headerDropped;
  return {
    check,
    level: 'failure',
    what: 'events were repeated after the last id',
    fix: 'Let the Last-Event-ID header reach the server, which must read it and send ids: mount the route with @svc/fastify, or pass the cursor to generateSse.',
  };
}
