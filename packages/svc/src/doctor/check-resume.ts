import { STREAM_GAP_EVENT_NAME } from '@svc/contracts/event-names';
import type { Finding } from './checks.js';
import { observe, type Look, type Observation, type ObservedFrame } from './observe.js';

const check = 'resume';
/** A cursor that no server gave out: a server of ours answers it with a gap. */
const strangeCursor = 'svc-doctor';

const eventsOf = (frames: readonly ObservedFrame[]) => frames.filter((frame) => frame.kind === 'event');

const hasEvent = (frames: readonly ObservedFrame[]) => eventsOf(frames).length > 0;

function lookWithHeader(look: Look, cursor: string): Promise<Observation> {
  // As browsers write ids of any letters into it.
  const headers = { ...look.headers, 'last-event-id': Buffer.from(cursor).toString('latin1') };
  return observe({ ...look, headers }, hasEvent);
}

function lookWithQuery(look: Look, cursor: string): Promise<Observation> {
  const url = new URL(look.url);
  url.searchParams.set('last_event_id', cursor);
  return observe({ ...look, url }, hasEvent);
}

const respects = (seen: ReadonlySet<string>, observation: Observation) =>
  !eventsOf(observation.frames).some((frame) => frame.id !== undefined && seen.has(frame.id));

const stripped: Finding = {
  check,
  level: 'failure',
  what: 'the Last-Event-ID header does not reach the server, but the query does',
  mend: 'Let the request header Last-Event-ID pass; browsers resume with it.',
};

/**
 * Whether a reader that comes back goes on where it was: with the id of the last event seen nothing is repeated, and
 * with a cursor nobody gave out the server says `stream_gap`.
 */
export async function checkResume(first: Observation, look: Look): Promise<Finding> {
  const ids = eventsOf(first.frames).flatMap((frame) => frame.id ?? []);
  const last = ids.at(-1);
  const strange = await lookWithHeader(look, strangeCursor);
  const reaches = eventsOf(strange.frames)[0]?.event === STREAM_GAP_EVENT_NAME;
  if (last === undefined)
    return reaches
      ? { check, level: 'ok', what: 'the cursor reaches the server' }
      : {
          check,
          level: 'unknown',
          what: 'no event came to resume after',
          mend: 'Start a run in this session and look again.',
        };
  const seen = new Set(ids);
  if (respects(seen, await lookWithHeader(look, last))) {
    // A server that tells no gap begins anew for the strange cursor, and so it read the one it gave out.
    if (reaches || !respects(seen, strange))
      return { check, level: 'ok', what: 'nothing was repeated after the last id' };
    return {
      check,
      level: 'unknown',
      what: 'what came to a reader that comes back does not tell whether the cursor is read',
      mend: 'Mend what failed above, or look again while a run goes on.',
    };
  }
  if (!reaches && respects(seen, await lookWithQuery(look, last))) return stripped;
  return {
    check,
    level: 'failure',
    what: 'events were repeated after the last id',
    mend: 'Let the header Last-Event-ID reach the server, which must read it and send ids: mount the route with @svc/fastify, or pass the cursor to generateSse.',
  };
}
