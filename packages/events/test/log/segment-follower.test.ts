import { expect, it } from 'vitest';
import { FrameSegments } from '../../src/log/frame-segments.js';
import { SegmentFollower } from '../../src/log/segment-follower.js';

it.each<[string, (follower: SegmentFollower, abort: AbortController) => unknown]>([
  ['is returned', (follower) => follower.return()],
  ['is ended', (follower) => follower.end()],
  ['has its signal aborted', (_, abort) => abort.abort()],
])('a follower leaves its group and ends its pending read once it %s', async (_, end) => {
  const abort = new AbortController();
  const group = new Set<SegmentFollower>();
  const segments = new FrameSegments({ maxBytes: 1000 });
  const follower = new SegmentFollower({ segments, afterSeq: 0, signal: abort.signal, group, onEnd() {} });
  const waiting = follower.next();
  expect(group.size).toBe(1);
  await end(follower, abort);
  expect(group.size).toBe(0);
  expect(await waiting).toEqual({ done: true, value: undefined });
});
