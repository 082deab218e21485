import { expect, it } from 'vitest';
import {
  checkAnswer,
  checkFirstFrame,
  checkHeaders,
  checkHeartbeats,
  checkKeptOpen,
  checkOneByOne,
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

it.each<[string, ObservedFrame[], string]>([
  ['events that come as they are made', [event(3_000, 3_010, 1), event(5_000, 5_010, 2)], 'ok'],
  ['a burst in one piece', [event(3_000, 3_010, 1), event(3_020, 3_010, 1)], 'ok'],
  ['events made seconds apart in one piece', [event(3_000, 5_010, 1), event(5_000, 5_010, 1)], 'failure'],
  [
    'a replay, which comes as a whole',
    [event(0, 10, 0), event(60_000, 10, 0), event(90_000, 20, 1)],
    'unknown',
  ],
])('takes %s for what it is', (_, frames, level) => {
  const finding = checkOneByOne(seen({ frames }));
  expect(finding.level).toBe(level);
  if (level !== 'ok') expect(finding.mend).toEqual(expect.any(String));
});

it.each([
  [301, '301: redirected', 'final address'],
  [302, '302: redirected', 'final address'],
  [400, '400 with content type none', '/svc/events/'],
  [403, '403: not admitted', '--header'],
  [404, '404 with content type none', '/svc/events/'],
  [429, '429: refused or failed', 'log'],
  [502, '502: refused or failed', 'log'],
])('says of an answer of %i what it is', (status, what, mend) => {
  const level = 'failure';
  expect(checkAnswer(seen({ status }))).toEqual({
    check: 'answer',
    level,
    what,
    mend: expect.stringContaining(mend),
  });
});

const comment = (atMs: number, chunk: number): ObservedFrame => ({ kind: 'comment', atMs, chunk });
const eachSecond = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => event(second * 1_000, second * 1_000, second));

it.each<[string, Partial<Observation>, string, string]>([
  ['none in a long quiet', { frames: [comment(0, 0)] }, 'failure', 'none in 10 s'],
  ['none where nothing came', {}, 'failure', 'none in 10 s'],
  [
    'none after the last of a few events',
    { frames: [comment(0, 0), event(1_000, 1_000, 1)] },
    'failure',
    'none in 10 s',
  ],
  ['none before a late end', { frames: [comment(0, 0)], endedAtMs: 8_000 }, 'failure', 'none in 8 s'],
  [
    'none before the end of a turn that was over',
    { frames: [comment(0, 0), event(0, 10, 0)], endedAtMs: 20 },
    'unknown',
    'none was due in 0 s',
  ],
  [
    'none between events that come all the time',
    { frames: [comment(0, 0), ...eachSecond] },
    'unknown',
    'none was due in 10 s',
  ],
  ['one', { frames: [comment(0, 0), comment(3_000, 1)] }, 'ok', '1 in 10 s'],
  [
    'those of an orchestrator',
    { frames: [event(0, 0, 0), { kind: 'event', event: 'heartbeat', atMs: 5_000, chunk: 1 }] },
    'ok',
    '1 in 10 s',
  ],
  [
    'two in one piece',
    { frames: [comment(0, 0), comment(3_000, 1), comment(3_000, 1)] },
    'failure',
    '2 came in 1 pieces',
  ],
])('takes heartbeats for what they are: %s', (_, more, level, what) => {
  expect(checkHeartbeats(seen(more), 10_000)).toMatchObject({ level, what });
});

it.each([
  [{ 'cache-control': 'no-store' }, 'ok'],
  [{ 'cache-control': 'no-cache' }, 'ok'],
  [{ 'cache-control': 'no-store', 'content-encoding': 'identity' }, 'ok'],
  [{ 'cache-control': 'no-store', 'content-encoding': 'br' }, 'failure'],
  [{}, 'warning'],
])('judges the headers %j', (headers, level) => {
  expect(checkHeaders(seen({ headers: new Headers(headers) })).level).toBe(level);
});

it.each([
  [0, 2_000, 'ok'],
  [0, 2_001, 'failure'],
  [4_000, 4_000, 'ok'],
  [4_001, 4_001, 'failure'],
])('takes headers after %i ms and a first frame after %i ms as %s', (headersAtMs, atMs, level) => {
  const frames: ObservedFrame[] = [{ kind: 'comment', atMs, chunk: 0 }];
  expect(checkFirstFrame(seen({ headersAtMs, frames })).level).toBe(level);
});

it.each([
  ['final', 'ok'],
  ['error', 'ok'],
  ['session_end', 'ok'],
  ['update', 'failure'],
  [undefined, 'failure'],
])('takes an end after %s as %s', (name, level) => {
  const frames: ObservedFrame[] = [
    { ...event(0, 10, 0), event: name },
    { kind: 'comment', atMs: 20, chunk: 1 },
  ];
  expect(checkKeptOpen(seen({ frames, endedAtMs: 30 })).level).toBe(level);
});
