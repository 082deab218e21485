import { cpuUsage } from 'node:process';

/** The cost of a case: CPU nanoseconds per operation, and the ratio to the base of its group. */
export interface Cost {
  readonly name: string;
  readonly nanoseconds: number;
  readonly ratio: number;
}

/** A case: an operation that runs many times. Its result is used, so that it is not optimized away. */
export type Work = (index: number) => unknown;

const rounds = 9;
const roundMs = 50;
let used = 0;

/**
 * Measures the cases of a group in CPU time (user and system, garbage collection included). Rounds alternate over the
 * cases, because a busy machine slows all alike. Each ratio is to the first case of the same round; the result is the
 * median.
 */
export function measure(cases: Readonly<Record<string, Work>>): Cost[] {
  const works = Object.entries(cases).map(([name, work]) => ({ name, work, count: calibrate(work) }));
  const figures = works.map(() => ({ nanoseconds: [] as number[], ratios: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    const costs = works.map(({ work, count }) => run(work, count));
    costs.forEach((cost, at) => {
      figures[at]?.nanoseconds.push(cost);
      figures[at]?.ratios.push(cost / (costs[0] ?? cost));
    });
  }
  return works.map(({ name }, at) => ({
    name,
    nanoseconds: median(figures[at]?.nanoseconds ?? []),
    ratio: median(figures[at]?.ratios ?? []),
  }));
}

/** Returns the costs of a group as a Markdown table. */
export function table(title: string, costs: readonly Cost[]): string {
  const rows = costs.map(
    ({ name, nanoseconds, ratio }) => `| ${name} | ${nanoseconds.toFixed(0)} | ${ratio.toFixed(2)}x |`,
  );
  return [`## ${title}`, '', '| work | CPU ns | ratio |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** Warms up a case and returns how many times it fits into a round. */
function calibrate(work: Work): number {
  for (let count = 64; ; count *= 2) {
    const ms = (run(work, count) * count) / 1e6;
    if (ms > roundMs * 0.7) return Math.max(1, Math.round((count * roundMs) / ms));
  }
}

function run(work: Work, count: number): number {
  globalThis.gc?.();
  const before = cpuUsage();
  for (let index = 0; index < count; index += 1) used ^= work(index) === undefined ? 1 : 2;
  const { user, system } = cpuUsage(before);
  return ((user + system) * 1_000) / count;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
