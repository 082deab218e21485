import { describe, expect, it } from 'vitest';
import { parseJitter, sampleJitter, sigmaOf, type Jitter } from '../../src/scheduling/jitter.js';
import { createSeededRandom } from '../../src/scheduling/seeded-random.js';

const noon = Date.parse('2026-01-01T12:00:00Z');

function sample(
  jitter: Jitter,
  count: number,
  { timezone = 'UTC', stepMs = 60_000, seed = 'test' } = {},
): number[] {
  const random = createSeededRandom(seed);
  const policy = parseJitter(jitter);
  return Array.from({ length: count }, (_, index) =>
    sampleJitter(policy, noon + index * stepMs, { timezone, random }),
  );
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
function deviation(values: number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

describe('jitter', () => {
  it('stays inside its bounds and uses all of them', () => {
    const shifts = sample(5_000, 10_000);
    expect(Math.min(...shifts)).toBeGreaterThanOrEqual(-5_000);
    expect(Math.max(...shifts)).toBeLessThanOrEqual(5_000);
    expect(Math.min(...shifts)).toBeLessThan(-4_900);
    expect(Math.max(...shifts)).toBeGreaterThan(4_900);
    expect(Math.abs(mean(shifts))).toBeLessThan(100);
  });

  it('is the same for the same seed, fire by fire, whoever asks', () => {
    const seeded = { minMs: -5_000, maxMs: 5_000, seed: 7 };
    const shifts = sample(seeded, 10_000, { seed: 'one' });
    expect(sample(seeded, 10_000, { seed: 'another' })).toEqual(shifts);
    expect(sample({ ...seeded, seed: 8 }, 10_000)).not.toEqual(shifts);
    expect(new Set(shifts).size).toBeGreaterThan(5_000);
    expect(Math.abs(mean(shifts))).toBeLessThan(100);
  });

  it('spreads normal shifts by a sixth of the range and never leaves the bounds', () => {
    const jitter = { minMs: -9_000, maxMs: 9_000, distribution: 'normal' } as const;
    expect(sigmaOf(parseJitter(jitter))).toBe(3_000);
    const shifts = sample(jitter, 10_000);
    expect(deviation(shifts)).toBeGreaterThan(2_850);
    expect(deviation(shifts)).toBeLessThan(3_150);
    expect(Math.max(...shifts.map(Math.abs))).toBeLessThanOrEqual(9_000);
  });

  it('takes another spread for normal shifts and clamps them', () => {
    const shifts = sample({ minMs: -100, maxMs: 100, distribution: 'normal', sigmaMs: 1_000 }, 1_000);
    expect(shifts.filter((shift) => Math.abs(shift) === 100).length).toBeGreaterThan(800);
    expect(Math.max(...shifts.map(Math.abs))).toBe(100);
  });

  it('gathers triangular shifts in the middle', () => {
    const shifts = sample({ minMs: 0, maxMs: 12_000, distribution: 'triangular' }, 10_000);
    expect(Math.abs(mean(shifts) - 6_000)).toBeLessThan(120);
    expect(deviation(shifts)).toBeGreaterThan(2_300);
    expect(deviation(shifts)).toBeLessThan(2_600);
  });

  it('fires early by a negative bound', () => {
    expect(sample({ minMs: -10_000, maxMs: -10_000 }, 3)).toEqual([-10_000, -10_000, -10_000]);
  });

  it('aligns a fire that is due on the grid to the grid, inside the bounds', () => {
    const shifts = sample({ minMs: -25_000, maxMs: 25_000, alignMs: 15_000 }, 1_000);
    expect([...new Set(shifts)].sort((one, other) => one - other)).toEqual([-15_000, 0, 15_000]);
  });

  it('aligns the wall clock, not the shift', () => {
    const policy = parseJitter({ minMs: 0, maxMs: 60_000, alignMs: 60_000, seed: 1 });
    const shift = sampleJitter(policy, noon + 20_000, { timezone: 'UTC', random: Math.random });
    expect((noon + 20_000 + shift) % 60_000).toBe(0);
    expect(shift).toBe(40_000);
  });

  it('aligns to the hours of the zone', () => {
    const policy = parseJitter({ minMs: 0, maxMs: 3_600_000, alignMs: 3_600_000, seed: 1 });
    const shift = sampleJitter(policy, noon + 60_000, { timezone: 'Asia/Kolkata', random: Math.random });
    expect(new Date(noon + 60_000 + shift).toISOString()).toBe('2026-01-01T12:30:00.000Z');
  });

  it('leaves a shift as it is when no grid point lies in the bounds', () => {
    const policy = parseJitter({ minMs: 1_000, maxMs: 2_000, alignMs: 3_600_000, seed: 1 });
    const shift = sampleJitter(policy, noon, { timezone: 'UTC', random: Math.random });
    expect(shift).toBeGreaterThanOrEqual(1_000);
    expect(shift).toBeLessThanOrEqual(2_000);
  });

  it.each<[string, Jitter | Record<string, unknown>]>([
    ['bounds the wrong way round', { minMs: 2, maxMs: 1 }],
    ['a grid of nothing', { minMs: 0, maxMs: 1, alignMs: 0 }],
    ['a negative number, which says no direction', -5],
    ['a number that is none', Number.NaN],
    ['an unknown distribution', { minMs: 0, maxMs: 1, distribution: 'poisson' }],
    ['an unknown option', { minMs: 0, maxMs: 1, align: 5 }],
    ['a spread without a normal distribution', { minMs: 0, maxMs: 1, sigmaMs: 5 }],
  ])('refuses %s', (_what, jitter) => {
    expect(() => parseJitter(jitter as Jitter)).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_INVALID_OPTION' }),
    );
  });
});
