import { expect, it } from 'vitest';
import { checkOneByOne } from '../../src/doctor/checks.js';
import type { ObservedFrame } from '../../src/doctor/observe.js';

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
  const finding = checkOneByOne({ status: 200, headers: new Headers(), headersAtMs: 0, frames });
  expect(finding.level).toBe(level);
  if (level !== 'ok') expect(finding.mend).toEqual(expect.any(String));
});
