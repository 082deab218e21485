import { describe, expect, it } from 'vitest';
import {
  judgeDueFires,
  parseMisfire,
  type DueFire,
  type Misfire,
} from '../../../src/scheduling/policy/misfire.js';

const nowMs = 1_000_000;

function due(...lateMs: number[]): DueFire[] {
  return lateMs.map((late) => ({
    scheduledAtMs: nowMs - late,
    jitterMs: 0,
    dueAtMs: nowMs - late,
    isPastNext: false,
  }));
}

function judge(fires: DueFire[], misfire: Misfire): [number, string, number][] {
  return judgeDueFires(fires, nowMs, parseMisfire(misfire)).map(({ fire, verdict, coalesced }) => [
    nowMs - fire.scheduledAtMs,
    verdict,
    coalesced,
  ]);
}

describe('a misfire policy', () => {
  it('applies to fires that are more than 30 s late', () => {
    expect(judge(due(30_000), 'skip')).toEqual([[30_000, 'run', 0]]);
    expect(judge(due(30_001), 'skip')).toEqual([[30_001, 'skipped_misfire', 0]]);
  });

  it.each<[Misfire, [number, string, number][]]>([
    [
      'skip',
      [
        [90_000, 'skipped_misfire', 0],
        [60_000, 'skipped_misfire', 0],
        [0, 'run', 0],
      ],
    ],
    [
      'fire_now',
      [
        [90_000, 'run', 0],
        [60_000, 'run', 0],
        [0, 'run', 0],
      ],
    ],
    ['coalesce', [[0, 'run', 2]]],
    [
      { policy: 'fire_now', maxCatchUp: 1 },
      [
        [90_000, 'skipped_misfire', 0],
        [60_000, 'run', 0],
        [0, 'run', 0],
      ],
    ],
    [
      { policy: 'skip', graceMs: 60_000 },
      [
        [90_000, 'skipped_misfire', 0],
        [60_000, 'run', 0],
        [0, 'run', 0],
      ],
    ],
    [
      { policy: 'coalesce', graceMs: 90_000 },
      [
        [90_000, 'run', 0],
        [60_000, 'run', 0],
        [0, 'run', 0],
      ],
    ],
  ])('of %j judges fires that are 90 s, 60 s and 0 s late', (misfire, expected) => {
    expect(judge(due(90_000, 60_000, 0), misfire)).toEqual(expected);
  });

  it('of coalesce does not merge other fires into one that was skipped because of its jitter', () => {
    const [first, second, third] = due(90_000, 60_000, 40_000);
    const fires = [first, { ...second, jitterMs: 70_000, isPastNext: true }, third] as DueFire[];
    expect(judge(fires, 'coalesce')).toEqual([
      [60_000, 'skipped_jitter', 0],
      [40_000, 'run', 1],
    ]);
  });

  it.each(['never', { policy: 'skip', graceMs: -1 }, { maxCatchUp: 0 }])(
    'is refused if it is %j',
    (misfire) => {
      expect(() => parseMisfire(misfire as Misfire)).toThrow(
        expect.objectContaining({ code: 'SCHEDULE_INVALID_OPTION' }),
      );
    },
  );
});
