import { TERMINAL_EVENT_NAMES } from '@svc/contracts/event-names';
import type { Observation, ObservedFrame } from './observe.js';

/** What one check found: `mend` says what to change when it is not well. */
export interface Finding {
  check: 'answer' | 'headers' | 'first frame' | 'heartbeats' | 'one by one' | 'kept open' | 'resume';
  level: 'ok' | 'warning' | 'failure' | 'unknown';
  what: string;
  mend?: string;
}

/** A frame that took longer than this after the headers was held back by something, in milliseconds. */
export const promptMs = 2000;
/** Events whose own times lie this far apart do not belong in one piece, in milliseconds. */
const spreadMs = 1000;

const proxyBuffering =
  'Switch response buffering off for this path (nginx: proxy_buffering off; a CDN: bypass its cache).';

/** Whether the address answers with an event stream at all. */
export function checkAnswer({ status, headers }: Observation): Finding {
  const check = 'answer';
  const type = headers.get('content-type') ?? 'none';
  if (status === 200 && /^text\/event-stream\s*(;|$)/i.test(type))
    return { check, level: 'ok', what: '200 with text/event-stream' };
  if (status === 204)
    return {
      check,
      level: 'unknown',
      what: '204: the session has ended',
      mend: 'Give the address of a session that is open.',
    };
  if (status === 401 || status === 403)
    return {
      check,
      level: 'failure',
      what: `${status}: not admitted`,
      mend: "Pass what the route wants to see: --header 'name: value'.",
    };
  if (status >= 300 && status < 400)
    return {
      check,
      level: 'failure',
      what: `${status}: redirected`,
      mend: 'Give the final address; an event stream should not be redirected.',
    };
  if (status === 429 || status >= 500)
    return {
      check,
      level: 'failure',
      what: `${status}: refused or failed`,
      mend: 'See the log of what answers there, and look again.',
    };
  return {
    check,
    level: 'failure',
    what: `${status} with content type ${type}`,
    mend: 'Give the address of an event stream: /svc/events/<session id>.',
  };
}

/** Whether something on the way compresses, stores or transforms the stream. */
export function checkHeaders({ headers }: Observation): Finding {
  const check = 'headers';
  const encoding = headers.get('content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity')
    return {
      check,
      level: 'failure',
      what: `compressed with ${encoding}`,
      mend: 'Exclude text/event-stream from compression; a compressor holds frames back.',
    };
  const cache = headers.get('cache-control') ?? '';
  if (!/no-store|no-cache/i.test(cache))
    return {
      check,
      level: 'warning',
      what: `cache-control is "${cache}"`,
      mend: 'Let cache-control: no-store, no-transform pass through unchanged.',
    };
  return { check, level: 'ok', what: 'neither compressed nor stored' };
}

/** Whether the first frame comes at once, as the server sends one with its headers. */
export function checkFirstFrame({ frames, headersAtMs }: Observation): Finding {
  const check = 'first frame';
  const first = frames[0];
  if (!first) return { check, level: 'failure', what: 'no frame arrived', mend: proxyBuffering };
  const waitedMs = Math.round(first.atMs - headersAtMs);
  if (waitedMs > promptMs || headersAtMs > promptMs * 2)
    return {
      check,
      level: 'failure',
      what: `the first frame came ${waitedMs} ms after the headers, which took ${Math.round(headersAtMs)} ms`,
      mend: proxyBuffering,
    };
  return { check, level: 'ok', what: 'came with the headers' };
}

/**
 * The comments after the first frame, but for those that say where our route's replay begins and ends; and the events
 * that an orchestrator sends instead.
 */
const heartbeatsOf = (frames: readonly ObservedFrame[]) =>
  frames
    .slice(1)
    .filter(({ kind, comment, event }) =>
      kind === 'comment' ? !/^(replay|live)$/.test(comment ?? '') : event === 'heartbeat',
    );

/** Whether it was quiet for long enough that a heartbeat was due: a look lasts two intervals or more. */
function wasQuiet(frames: readonly ObservedFrame[], seenMs: number, lookMs: number): boolean {
  const times = [...frames.map(({ atMs }) => atMs), seenMs];
  return times.some((atMs, index) => atMs - (times[index - 1] ?? 0) >= lookMs / 2);
}

/** Whether heartbeats pass, one by one. */
export function checkHeartbeats({ frames, endedAtMs }: Observation, lookMs: number): Finding {
  const check = 'heartbeats';
  const beats = heartbeatsOf(frames);
  const pieces = new Set(beats.map((beat) => beat.chunk)).size;
  const seenMs = endedAtMs ?? lookMs;
  const seconds = Math.round(seenMs / 1000);
  if (pieces === 0 && !wasQuiet(frames, seenMs, lookMs))
    return {
      check,
      level: 'unknown',
      what: `none was due in ${seconds} s`,
      mend: 'Look again while the session is open and quiet.',
    };
  if (pieces === 0)
    return {
      check,
      level: 'failure',
      what: `none in ${seconds} s`,
      mend: `Let comment frames pass, look longer (--seconds) if the server's interval is above ${seconds} s, and switch buffering off.`,
    };
  if (pieces < beats.length)
    return {
      check,
      level: 'failure',
      what: `${beats.length} came in ${pieces} pieces`,
      mend: proxyBuffering,
    };
  return { check, level: 'ok', what: `${beats.length} in ${seconds} s` };
}

/** Whether live events arrive one by one: events made at different times must not come in one piece. */
export function checkOneByOne({ frames }: Observation): Finding {
  const check = 'one by one';
  const live = frames.filter(
    (frame) =>
      frame.kind === 'event' && frame.madeAtMs !== undefined && frame.chunk > 0 && frame.atMs > promptMs,
  );
  const pieces = Map.groupBy(live, (frame) => frame.chunk);
  const spread = (piece: readonly ObservedFrame[]) => {
    const times = piece.map((frame) => frame.madeAtMs ?? 0);
    return Math.max(...times) - Math.min(...times);
  };
  if (pieces.values().some((piece) => spread(piece) > spreadMs))
    return {
      check,
      level: 'failure',
      what: 'events made seconds apart came in one piece',
      mend: proxyBuffering,
    };
  if (live.length > 0)
    return { check, level: 'ok', what: `${live.length} live events in ${pieces.size} pieces` };
  return {
    check,
    level: 'unknown',
    what: 'no live event came while looking',
    mend: 'Start a run in this session and look again.',
  };
}

/** Whether the connection lives as long as somebody looks. A turn's end closes the response; that is no cut. */
export function checkKeptOpen({ frames, endedAtMs }: Observation): Finding {
  const check = 'kept open';
  const terminal = frames.findLast((frame) => frame.kind === 'event')?.event;
  if (endedAtMs === undefined) return { check, level: 'ok', what: 'open for as long as it was looked at' };
  if (terminal && TERMINAL_EVENT_NAMES.has(terminal))
    return { check, level: 'ok', what: `ended after ${terminal}` };
  return {
    check,
    level: 'failure',
    what: `cut after ${Math.round(endedAtMs / 1000)} s`,
    mend: "Raise the proxy's idle and read time-outs above the heartbeat interval (nginx: proxy_read_timeout).",
  };
}
