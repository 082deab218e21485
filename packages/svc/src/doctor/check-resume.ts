import type { Finding } from './checks.js';
import { UsageError } from '../terminal.js';
import { observe, type Look, type Observation, type ObservedFrame } from './observe.js';

const check = 'resume';

const eventsOf = (frames: readonly ObservedFrame[]) => frames.filter((frame) => frame.kind === 'event');

const hasEvent = (frames: readonly ObservedFrame[]) => eventsOf(frames).length > 0;

function lookWithHeader(look: Look, cursor: string): Promise<Observation> {
  // Browsers encode ids with non-ASCII characters this way.
  const headers = { ...look.headers, 'last-event-id': Buffer.from(cursor).toString('latin1') };
  return reconnect({ ...look, headers });
}

function lookWithQuery(look: Look, cursor: string): Promise<Observation> {
  const url = new URL(look.url);
  url.searchParams.set('last_event_id', cursor);
  return reconnect({ ...look, url });
}

/** @throws UsageError if the request was refused; 204 means that the session has ended meanwhile. */
async function reconnect(look: Look): Promise<Observation> {
  const seen = await observe(look, hasEvent);
  if (seen.status !== 200 && seen.status !== 204) throw new UsageError(`the answer was ${seen.status}`);
  return seen;
}

const repeatsNothing = (seen: ReadonlySet<string>, observation: Observation) =>
  !eventsOf(observation.frames).some((frame) => frame.id !== undefined && seen.has(frame.id));

const headerDropped: Finding = {
  check,
  level: 'failure',
  what: 'the Last-Event-ID header does not reach the server, but the query parameter does',
  fix: 'Let the Last-Event-ID request header pass; browsers resume with it.',
};

const repeated: Finding = {
  check,
  level: 'failure',
  what: 'events were repeated after the last id',
  fix: 'Let the Last-Event-ID header reach the server, which must read it and send ids: mount the route with @svc/fastify, or pass the cursor to generateSse.',
};

/**
 * Whether a client that reconnects continues where it was: with the id of the last event seen nothing is repeated, and
 * with the id before it only that event. No other cursors are sent, because servers warn of ids that they did not issue.
 *
 * @throws UsageError if reconnecting is refused or gets no answer.
 */
export async function checkResume(first: Observation, look: Look): Promise<Finding> {
  const ids = eventsOf(first.frames).flatMap((frame) => frame.id ?? []);
  const [previous, last] = ids.slice(-2);
  if (previous === undefined || last === undefined)
    return {
      check,
      level: 'unknown',
      what: 'not checked: it takes two events with ids to resume between',
      fix: 'Start a run in this session and try again.',
    };
  const afterLast = await lookWithHeader(look, last);
  const seen = new Set(ids);
  if (!repeatsNothing(seen, afterLast))
    return repeatsNothing(seen, await lookWithQuery(look, last)) ? headerDropped : repeated;
  // A server that never sends past events repeats nothing either.
  const afterPrevious = await lookWithHeader(look, previous);
  if (eventsOf(afterPrevious.frames)[0]?.id === last)
    return { check, level: 'ok', what: 'nothing was repeated after the last id' };
  return {
    check,
    level: 'unknown',
    what: 'the events after a reconnect do not show whether the cursor is read',
    fix: 'Fix the failures above, or try again during a run.',
  };
}
