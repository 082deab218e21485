import { TERMINAL_EVENT_NAMES } from '@svc/contracts/event-names';
import type { Observation, ObservedFrame } from './observe.js';

/** What one check found, and how to fix it. */
export interface Finding {
  check: 'answer' | 'headers' | 'first frame' | 'heartbeats' | 'one by one' | 'kept open' | 'resume';
  level: 'ok' | 'warning' | 'failure' | 'unknown';
  what: string;
  fix?: string;
}

/** A frame that arrives later than this after the headers was buffered, in milliseconds. */
export const promptMs = 2000;
/** Events whose timestamps are this far apart must not arrive in one piece, in milliseconds. */
const spreadMs = 1000;

const proxyBuffering =
  'Turn response buffering off for this path (nginx: proxy_buffering off; a CDN: bypass its cache).';

const slowAnswer = 'Or the application is slow to answer: see its logs.';

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
      fix: 'Pass the URL of an open session.',
    };
  if (status === 401 || status === 403)
    return {
      check,
      level: 'failure',
      what: `${status}: not admitted`,
      fix: "Pass the credentials that the route requires: --header 'name: value'.",
    };
  if (status >= 300 && status < 400)
    return {
      check,
      level: 'failure',
      what: `${status}: redirected`,
      fix: 'Pass the final URL; an event stream should not be redirected.',
    };
  if (status === 429 || status >= 500)
    return {
      check,
      level: 'failure',
      what: `${status}: refused or failed`,
      fix: 'See the logs of the server or proxy that answers there, and try again.',
    };
  return {
    check,
    level: 'failure',
    what: `${status} with content type ${type}`,
    fix: 'Pass the URL of an event stream: /svc/events/<session id>.',
  };
}

/** Whether a proxy compresses, caches or transforms the stream. */
export function checkHeaders({ headers }: Observation): Finding {
  const check = 'headers';
  const encoding = headers.get('content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity')
    return {
      check,
      level: 'failure',
      what: `compressed with ${encoding}`,
      fix: 'Exclude text/event-stream from compression, which delays frames.',
    };
  const cache = headers.get('cache-control') ?? '';
  if (!/no-store|no-cache/i.test(cache))
    return {
      check,
      level: 'warning',
      what: `cache-control is "${cache}"`,
      fix: 'Let cache-control: no-store, no-transform pass through unchanged.',
    };
  return { check, level: 'ok', what: 'neither compressed nor cached' };
}

/** Whether the first frame arrives at once, as the server sends one with its headers. */
export function checkFirstFrame({ frames, headersAtMs }: Observation): Finding {
  const check = 'first frame';
  const first = frames[0];
  if (!first) return { check, level: 'failure', what: 'no frame arrived', fix: proxyBuffering };
  const waitedMs = Math.round(first.atMs - headersAtMs);
  if (waitedMs > promptMs || headersAtMs > promptMs * 2)
    return {
      check,
      level: 'failure',
      what: `arrived ${waitedMs} ms after the headers, which took ${Math.round(headersAtMs)} ms`,
      fix: waitedMs > promptMs ? proxyBuffering : `${proxyBuffering} ${slowAnswer}`,
    };
  return { check, level: 'ok', what: 'arrived with the headers' };
}

/**
 * The comments after the first frame, except those that mark where our route's replay begins and ends, and the events
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
      fix: 'Try again while the session is open and quiet.',
    };
  if (pieces === 0)
    return {
      check,
      level: 'failure',
      what: `none in ${seconds} s`,
      fix: `Let comment frames pass, turn buffering off, and watch longer (--seconds) if the server's interval is above ${seconds} s.`,
    };
  if (pieces < beats.length)
    return {
      check,
      level: 'failure',
      what: `${beats.length} arrived in ${pieces} pieces`,
      fix: proxyBuffering,
    };
  return { check, level: 'ok', what: `${beats.length} in ${seconds} s` };
}

/** Whether live events arrive one by one: events emitted at different times must not arrive in one piece. */
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
      what: 'events emitted seconds apart arrived in one piece',
      fix: proxyBuffering,
    };
  if (live.length > 0)
    return { check, level: 'ok', what: `${live.length} live events in ${pieces.size} pieces` };
  return {
    check,
    level: 'unknown',
    what: 'no live event arrived',
    fix: 'Start a run in this session and try again.',
  };
}

/** Whether the connection stays open. The end of a turn closes the response, which is not a failure. */
export function checkKeptOpen({ frames, endedAtMs }: Observation): Finding {
  const check = 'kept open';
  const terminal = frames.findLast((frame) => frame.kind === 'event')?.event;
  if (endedAtMs === undefined) return { check, level: 'ok', what: 'stayed open' };
  if (terminal && TERMINAL_EVENT_NAMES.has(terminal))
    return { check, level: 'ok', what: `ended after ${terminal}` };
  return {
    check,
    level: 'failure',
    what: `closed after ${Math.round(endedAtMs / 1000)} s`,
    fix: "Raise the proxy's idle and read timeouts above the heartbeat interval (nginx: proxy_read_timeout).",
  };
}
