import * as z from 'zod';
import type { ShapeOf } from '../../config/options.js';
import { parseOptions } from '../errors.js';
import { createSeededRandom } from './seeded-random.js';
import { alignToWallClock } from '../clock/wall-clock.js';

const DISTRIBUTIONS = ['uniform', 'normal', 'triangular'] as const;

/** Options of jitter: by how much fires are shifted. */
export interface JitterOptions {
  /** The smallest shift, in milliseconds; a negative one fires early. */
  minMs: number;
  /** The largest shift, in milliseconds. */
  maxMs: number;
  /** The distribution of shifts between the bounds. @default 'uniform' */
  distribution?: (typeof DISTRIBUTIONS)[number] | undefined;
  /** The standard deviation of `normal`, in milliseconds. @default a sixth of the range from minMs to maxMs */
  sigmaMs?: number | undefined;
  /** Moves the fire to the nearest multiple of this on the wall clock, within the bounds, in milliseconds. */
  alignMs?: number | undefined;
  /** With a seed, the shift of a fire is always the same. @default the job's name if it has a store, otherwise none */
  seed?: string | number | undefined;
  /** Whether a fire is skipped if its shift moves it to the next scheduled one, or later. @default true */
  skipPastNext?: boolean | undefined;
}

const JitterOptionsSchema = z
  .strictObject({
    minMs: z.number(),
    maxMs: z.number(),
    distribution: z.enum(DISTRIBUTIONS).default('uniform'),
    sigmaMs: z.number().positive().optional(),
    alignMs: z.number().positive().optional(),
    seed: z.union([z.string(), z.number()]).optional(),
    skipPastNext: z.boolean().default(true),
  } satisfies ShapeOf<JitterOptions>)
  .refine(({ minMs, maxMs }) => minMs <= maxMs, 'minMs must not be greater than maxMs')
  .refine(
    ({ distribution, sigmaMs }) => sigmaMs === undefined || distribution === 'normal',
    'sigmaMs is for normal only',
  );

/** Jitter: a number of milliseconds to either side, or options. */
export type Jitter = number | JitterOptions;

/** Validated jitter options. */
export type JitterPolicy = z.output<typeof JitterOptionsSchema>;

/** Parses jitter. */
export function parseJitter(jitter: Jitter): JitterPolicy {
  if (typeof jitter !== 'number') return parseOptions(JitterOptionsSchema, jitter, 'withJitter()');
  const sideMs = parseOptions(
    z
      .number()
      .min(
        0,
        'a number is the shift to either side and must not be negative; for early fires only, set minMs and maxMs',
      ),
    jitter,
    'withJitter()',
  );
  return parseOptions(JitterOptionsSchema, { minMs: -sideMs, maxMs: sideMs }, 'withJitter()');
}

/** What a shift depends on, in addition to the policy. */
export interface JitterContext {
  timezone: string;
  /** Used if the policy has no seed. */
  random: () => number;
}

/** Returns by how much one fire is shifted, in milliseconds. */
export function sampleJitter(policy: JitterPolicy, scheduledAtMs: number, context: JitterContext): number {
  const { minMs, maxMs, alignMs, seed } = policy;
  const random = seed === undefined ? context.random : createSeededRandom(`${seed} ${scheduledAtMs}`);
  const shiftMs = clamp(Math.round(SAMPLERS[policy.distribution](policy, random)), minMs, maxMs);
  if (alignMs === undefined) return shiftMs;
  const bounds = { minMs: scheduledAtMs + minMs, maxMs: scheduledAtMs + maxMs };
  const aligned = alignToWallClock(scheduledAtMs + shiftMs, {
    alignMs,
    timezone: context.timezone,
    ...bounds,
  });
  return aligned === undefined ? shiftMs : aligned - scheduledAtMs;
}

/** Returns the standard deviation of normal jitter, in milliseconds. */
export function sigmaOf({ minMs, maxMs, sigmaMs }: JitterPolicy): number {
  return sigmaMs ?? (maxMs - minMs) / 6;
}

const SAMPLERS = {
  uniform: ({ minMs, maxMs }, random) => minMs + random() * (maxMs - minMs),
  triangular: ({ minMs, maxMs }, random) => minMs + ((random() + random()) / 2) * (maxMs - minMs),
  normal: (policy, random) => (policy.minMs + policy.maxMs) / 2 + standardNormal(random) * sigmaOf(policy),
} satisfies Record<(typeof DISTRIBUTIONS)[number], (policy: JitterPolicy, random: () => number) => number>;

/** Returns a number of the standard normal distribution (Box–Muller). */
function standardNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
