import { cpuUsage } from 'node:process';
import type { Cost } from './measure.ts';

/** A case: an operation that runs `count` times before its promise resolves. */
export interface AsyncCase {
  readonly run: (count: number) => Promise<void>;
  /** How many times a round runs it. */
  readonly count: number;
}

const rounds = 9;

/**
 * Measures cases that yield to the event loop, in CPU time (user and system, garbage collection included) per operation.
 * Rounds alternate over the cases. Each ratio is to the base case of the same round; the result is the median.
 */
export async function measureAsync(
  cases: Readonly<Record<string, AsyncCase>>,
  base: string,
): Promise<Cost[]> {
  const works = Object.entries(cases);
  const figures = new Map(
    works.map(([name]) => [name, { nanoseconds: [] as number[], ratios: [] as number[] }]),
  );
  for (const [, { run, count }] of works) await run(count);
  for (let round = 0; round < rounds; round += 1) {
    const costs = new Map<string, number>();
    for (const [name, work] of works) costs.set(name, await once(work));
    for (const [name, cost] of costs) {
      figures.get(name)?.nanoseconds.push(cost);
      figures.get(name)?.ratios.push(cost / (costs.get(base) ?? cost));
    }
  }
  return works.map(([name]) => ({
    name,
    nanoseconds: median(figures.get(name)?.nanoseconds ?? []),
    ratio: median(figures.get(name)?.ratios ?? []),
  }));
}

async function once({ run, count }: AsyncCase): Promise<number> {
  globalThis.gc?.();
  const before = cpuUsage();
  await run(count);
  const { user, system } = cpuUsage(before);
  return ((user + system) * 1_000) / count;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
