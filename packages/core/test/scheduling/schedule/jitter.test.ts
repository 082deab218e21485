import { describe, expect, it } from 'vitest';
import { parseJitter, sampleJitter, sigmaOf, type Jitter } from '../../../src/scheduling/schedule/jitter.js';
import { createSeededRandom } from '../../../src/scheduling/schedule/seeded-random.js';

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
  it('stays within its bounds and uses the whole range', () => {
    const shifts = sample(5_000, 10_000);
    expect(Math.min(...shifts)).toBeGreaterThanOrEqual(-5_000);
    expect(Math.max(...shifts)).toBeLessThanOrEqual(5_000);
    expect(Math.min(...shifts)).toBeLessThan(-4_900);
    expect(Math.max(...shifts)).toBeGreaterThan(4_900);
    expect(Math.abs(mean(shifts))).toBeLessThan(100);
  });

  it('is the same for each fire with the same seed, whatever the random source', () => {
    const seeded = { minMs: -5_000, maxMs: 5_000, seed: 7 };
    const shifts = sample(seeded, 10_000, { seed: 'one' });
    expect(sample(seeded, 10_000, { seed: 'another' })).toEqual(shifts);
    expect(sample({ ...seeded, seed: 8 }, 10_000)).not.toEqual(shifts);
    expect(new Set(shifts).size).toBeGreaterThan(5_000);
    expect(Math.abs(mean(shifts))).toBeLessThan(100);
  });

  it('gives normal shifts a deviation of a sixth of the range, within the bounds', () => {
    const jitter = { minMs: -9_000, maxMs: 9_000, distribution: 'normal' } as const;
    expect(sigmaOf(parseJitter(jitter))).toBe(3_000);
    const shifts = sample(jitter, 10_000);
    expect(deviation(shifts)).toBeGreaterThan(2_850);
    expect(deviation(shifts)).toBeLessThan(3_150);
    expect(Math.max(...shifts.map(Math.abs))).toBeLessThanOrEqual(9_000);
  });

  it('uses sigmaMs for normal shifts and clamps them to the bounds', () => {
    const shifts = sample({ minMs: -100, maxMs: 100, distribution: 'normal', sigmaMs: 1_000 }, 1_000);
    expect(shifts.filter((shift) => Math.abs(shift) === 100).length).toBeGreaterThan(800);
    expect(Math.max(...shifts.map(Math.abs))).toBe(100);
  });

  it('concentrates triangular shifts in the middle', () => {
    const shifts = sample({ minMs: 0, maxMs: 12_000, distribution: 'triangular' }, 10_000);
    expect(Math.abs(mean(shifts) - 6_000)).toBeLessThan(120);
    expect(deviation(shifts)).toBeGreaterThan(2_300);
    expect(deviation(shifts)).toBeLessThan(2_600);
  });

  it('makes fires early with negative bounds', () => {
    expect(sample({ minMs: -10_000, maxMs: -10_000 }, 3)).toEqual([-10_000, -10_000, -10_000]);
  });

  it('aligns fires to multiples of alignMs within the bounds', () => {
    const shifts = sample({ minMs: -25_000, maxMs: 25_000, alignMs: 15_000 }, 1_000);
    expect([...new Set(shifts)].sort((one, other) => one - other)).toEqual([-15_000, 0, 15_000]);
  });

  it('aligns the time of the fire, not the shift', () => {
    const policy = parseJitter({ minMs: 0, maxMs: 60_000, alignMs: 60_000, seed: 1 });
    const shift = sampleJitter(policy, noon + 20_000, { timezone: 'UTC', random: Math.random });
    expect((noon + 20_000 + shift) % 60_000).toBe(0);
    expect(shift).toBe(40_000);
  });

  it('aligns to full hours of the time zone', () => {
    const policy = parseJitter({ minMs: 0, maxMs: 3_600_000, alignMs: 3_600_000, seed: 1 });
    const shift = sampleJitter(policy, noon + 60_000, { timezone: 'Asia/Kolkata', random: Math.random });
    expect(new Date(noon + 60_000 + shift).toISOString()).toBe('2026-01-01T12:30:00.000Z');
  });

  it('leaves a shift unaligned when no multiple of alignMs is within the bounds', () => {
    const policy = parseJitter({ minMs: 1_000, maxMs: 2_000, alignMs: 3_600_000, seed: 1 });
    const shift = sampleJitter(policy, noon, { timezone: 'UTC', random: Math.random });
    expect(shift).toBeGreaterThanOrEqual(1_000);
    expect(shift).toBeLessThanOrEqual(2_000);
  });

  it.each<[string, Jitter | Record<string, unknown>]>([
    ['minMs greater than maxMs', { minMs: 2, maxMs: 1 }],
    ['an alignMs of 0', { minMs: 0, maxMs: 1, alignMs: 0 }],
    ['a negative number', -5],
    ['NaN', Number.NaN],
    ['an unknown distribution', { minMs: 0, maxMs: 1, distribution: 'poisson' }],
    ['an unknown option', { minMs: 0, maxMs: 1, align: 5 }],
    ['sigmaMs without a normal distribution', { minMs: 0, maxMs: 1, sigmaMs: 5 }],
  ])('refuses %s', (_what, jitter) => {
    expect(() => parseJitter(jitter as Jitter)).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_INVALID_OPTION' }),
    );
  });
});
