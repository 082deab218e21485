import { expect, it } from 'vitest';
import {
  checkAnswer,
  checkFirstFrame,
  checkHeaders,
  checkHeartbeats,
  checkKeptOpen,
  checkOneByOne,
  type Finding,
} from '../../src/doctor/checks.js';
import type { Observation, ObservedFrame } from '../../src/doctor/observe.js';

const seen = (more: Partial<Observation> = {}): Observation => ({
  status: 200,
  headers: new Headers(),
  headersAtMs: 0,
  frames: [],
  ...more,
});

/** An event that was made and arrived at these times, in milliseconds. */
const event = (madeAtMs: number, atMs: number, chunk: number): ObservedFrame => ({
  kind: 'event',
  madeAtMs,
  atMs,
  chunk,
});

const buffering = expect.stringContaining('buffering');
const again = expect.stringMatching(/try again/i);

it.each<[string, ObservedFrame[], Omit<Finding, 'check'>]>([
  [
    'events that arrive as they are emitted',
    [event(3_000, 3_010, 1), event(5_000, 5_010, 2)],
    { level: 'ok', what: '2 live events in 2 pieces' },
  ],
  [
    'a burst in one chunk',
    [event(3_000, 3_010, 1), event(4_000, 3_010, 1)],
    { level: 'ok', what: '2 live events in 1 pieces' },
  ],
  [
    'the first event that can count as live',
    [event(1_990, 2_001, 1)],
    { level: 'ok', what: '1 live events in 1 pieces' },
  ],
  [
    'events emitted seconds apart that arrive in one chunk',
    [event(3_000, 5_010, 1), event(4_001, 5_010, 1)],
    { level: 'failure', what: 'events emitted seconds apart arrived in one piece', fix: buffering },
  ],
  ...Object.entries<ObservedFrame[]>({
    'a replay within two seconds': [event(0, 10, 0), event(60_000, 10, 0), event(90_000, 20, 1)],
    'a replay after exactly two seconds': [event(0, 2_000, 1), event(60_000, 2_000, 1)],
    'a late replay in the first chunk': [event(0, 3_000, 0), event(60_000, 3_000, 0)],
    'an event without a time, and a comment': [
      { kind: 'event', atMs: 3_000, chunk: 1 },
      { ...event(3_000, 3_010, 2), kind: 'comment' },
    ],
  }).map(([name, frames]): [string, ObservedFrame[], Omit<Finding, 'check'>] => [
    name,
    frames,
    { level: 'unknown', what: 'no live event arrived', fix: again },
  ]),
])('judges whether events arrive one by one: %s', (_, frames, finding) => {
  expect(checkOneByOne(seen({ frames }))).toEqual({ check: 'one by one', ...finding });
});

it.each(['text/event-stream', 'Text/Event-Stream; charset=utf-8', 'text/event-stream ;charset=utf-8'])(
  'accepts 200 with %s as an event stream',
  (type) => {
    const headers = new Headers({ 'content-type': type });
    const finding = { check: 'answer', level: 'ok', what: '200 with text/event-stream' };
    expect(checkAnswer(seen({ headers }))).toEqual(finding);
  },
);

it.each([
  [200, 'text/event-stream-x', '200 with content type text/event-stream-x', '/svc/events/'],
  [200, 'x-text/event-stream', '200 with content type x-text/event-stream', '/svc/events/'],
  [201, 'text/event-stream', '201 with content type text/event-stream', '/svc/events/'],
  [204, undefined, '204: the session has ended', 'open session'],
  [299, undefined, '299 with content type none', '/svc/events/'],
  [300, undefined, '300: redirected', 'final URL'],
  [399, undefined, '399: redirected', 'final URL'],
  [400, undefined, '400 with content type none', '/svc/events/'],
  [401, undefined, '401: not admitted', '--header'],
  [403, undefined, '403: not admitted', '--header'],
  [404, undefined, '404 with content type none', '/svc/events/'],
  [429, undefined, '429: refused or failed', 'log'],
  [499, undefined, '499 with content type none', '/svc/events/'],
  [500, undefined, '500: refused or failed', 'log'],
  [502, undefined, '502: refused or failed', 'log'],
])('explains a response with status %i and content type %s', (status, type, what, fix) => {
  const headers = new Headers(type === undefined ? {} : { 'content-type': type });
  expect(checkAnswer(seen({ status, headers }))).toEqual({
    check: 'answer',
    level: status === 204 ? 'unknown' : 'failure',
    what,
    fix: expect.stringContaining(fix),
  });
});

const comment = (atMs: number, chunk: number, text?: string): ObservedFrame => ({
  kind: 'comment',
  atMs,
  chunk,
  comment: text,
});
const eachSecond = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => event(second * 1_000, second * 1_000, second));

it.each<[string, Partial<Observation>, string, string]>([
  ['none in a long silence', { frames: [comment(0, 0)] }, 'failure', 'none in 10 s'],
  ['none when nothing arrived', {}, 'failure', 'none in 10 s'],
  [
    'none after the last of a few events',
    { frames: [comment(0, 0), event(1_000, 1_000, 1)] },
    'failure',
    'none in 10 s',
  ],
  ['none before a late end', { frames: [comment(0, 0)], endedAtMs: 8_000 }, 'failure', 'none in 8 s'],
  [
    'none before the end of a finished turn',
    { frames: [comment(0, 0), event(0, 10, 0)], endedAtMs: 20 },
    'unknown',
    'none was due in 0 s',
  ],
  [
    'none between frequent events',
    { frames: [comment(0, 0), ...eachSecond] },
    'unknown',
    'none was due in 10 s',
  ],
  [
    'none in a pause of half the look',
    { frames: [comment(0, 0), event(0, 5_000, 1), event(0, 9_000, 2)] },
    'failure',
    'none in 10 s',
  ],
  [
    'none in shorter pauses',
    { frames: [comment(1, 0), event(0, 4_999, 1), event(0, 9_000, 2)] },
    'unknown',
    'none was due in 10 s',
  ],
  [
    'replay markers, which are not heartbeats',
    { frames: [comment(0, 0, 'replay'), comment(1, 1, 'live'), comment(2, 2, 'replay')] },
    'failure',
    'none in 10 s',
  ],
  [
    'other comments',
    { frames: [comment(0, 0), comment(3_000, 1, 'replays'), comment(6_000, 2, 'alive')] },
    'ok',
    '2 in 10 s',
  ],
  ['one', { frames: [comment(0, 0), comment(3_000, 1)] }, 'ok', '1 in 10 s'],
  [
    'the heartbeat events of an orchestrator',
    { frames: [event(0, 0, 0), { kind: 'event', event: 'heartbeat', atMs: 5_000, chunk: 1 }] },
    'ok',
    '1 in 10 s',
  ],
  [
    'two in one chunk',
    { frames: [comment(0, 0), comment(3_000, 1), comment(3_000, 1)] },
    'failure',
    '2 arrived in 1 pieces',
  ],
])('judges heartbeats: %s', (_, more, level, what) => {
  const finding = checkHeartbeats(seen(more), 10_000);
  const fix = finding.level === 'unknown' ? again : buffering;
  expect(finding).toEqual({ check: 'heartbeats', level, what, ...(level === 'ok' ? {} : { fix }) });
});

const neither = { level: 'ok', what: 'neither compressed nor cached' };

it.each([
  [{ 'cache-control': 'no-store' }, neither],
  [{ 'cache-control': 'private, No-Cache' }, neither],
  [{ 'cache-control': 'no-store', 'content-encoding': 'Identity' }, neither],
  [
    { 'cache-control': 'no-store', 'content-encoding': 'br' },
    { level: 'failure', what: 'compressed with br', fix: expect.stringContaining('compression') },
  ],
  [
    { 'cache-control': 'public, max-age=60' },
    {
      level: 'warning',
      what: 'cache-control is "public, max-age=60"',
      fix: expect.stringContaining('no-store, no-transform'),
    },
  ],
  [{}, { level: 'warning', what: 'cache-control is ""', fix: expect.any(String) }],
])('judges the headers %j', (headers, finding) => {
  expect(checkHeaders(seen({ headers: new Headers(headers) }))).toEqual({ check: 'headers', ...finding });
});

it('reports a first frame that never arrived', () => {
  const finding = { check: 'first frame', level: 'failure', what: 'no frame arrived', fix: buffering };
  expect(checkFirstFrame(seen())).toEqual(finding);
});

it.each([
  [0, 2_000, 'ok'],
  [0, 2_001, 'failure'],
  [4_000, 4_000, 'ok'],
  [4_001, 4_001, 'failure'],
])('judges headers after %i ms and a first frame after %i ms as %s', (headersAtMs, atMs, level) => {
  const frames: ObservedFrame[] = [{ kind: 'comment', atMs, chunk: 0 }];
  const late = `arrived ${atMs - headersAtMs} ms after the headers, which took ${headersAtMs} ms`;
  // Headers that are late with their frame need no proxy to be so.
  const fix =
    atMs > headersAtMs ? buffering : expect.stringMatching(/buffering off .*Or the application is slow/);
  const finding = level === 'ok' ? { what: 'arrived with the headers' } : { what: late, fix };
  expect(checkFirstFrame(seen({ headersAtMs, frames }))).toEqual({ check: 'first frame', level, ...finding });
});

it.each([
  ['final', 'ok'],
  ['error', 'ok'],
  ['session_end', 'ok'],
  ['update', 'failure'],
  [undefined, 'failure'],
])('judges an end after %s as %s', (name, level) => {
  const frames: ObservedFrame[] = [
    { ...event(0, 10, 0), event: name },
    { kind: 'comment', atMs: 20, chunk: 1 },
  ];
  const cut = { what: 'closed after 4 s', fix: expect.stringContaining('timeouts') };
  const finding = level === 'ok' ? { what: `ended after ${name}` } : cut;
  expect(checkKeptOpen(seen({ frames, endedAtMs: 3_501 }))).toEqual({
    check: 'kept open',
    level,
    ...finding,
  });
});

it('judges a stream that never ended as kept open', () => {
  const finding = { check: 'kept open', level: 'ok', what: 'stayed open' };
  expect(checkKeptOpen(seen())).toEqual(finding);
});
