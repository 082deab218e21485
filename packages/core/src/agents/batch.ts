import pLimit from 'p-limit';
import { ConfigurationError } from '../config/errors.js';
import { kindOf, parseCount, parseFlag, requireOptions } from '../config/options.js';
import { follow } from '../deadline.js';
import type { RunOptions } from '../invocation/run-options.js';

/** Options of `batch`, in addition to those of `invoke`. */
export interface BatchOptions extends RunOptions {
  /** The maximum number of concurrent runs. @default 4 */
  maxConcurrency?: number | undefined;
  /**
   * Whether every run is settled on its own, as in `Promise.allSettled`, instead of the first failure stopping the
   * batch.
   * @default false
   */
  settle?: boolean | undefined;
}

/** The parsed arguments of `batch`. */
interface BatchCall {
  readonly settle: boolean;
  /** The options of each run. */
  readonly options: RunOptions;
  readonly bounds: BatchBounds;
}

/** How many runs there may be at once, and what ends all of them. */
interface BatchBounds {
  readonly maxConcurrency: number;
  readonly signal?: AbortSignal | undefined;
}

/** Parses the arguments of `batch`. */
export function parseBatch(
  inputs: readonly unknown[],
  batchOptions: BatchOptions | undefined,
  owner: string,
): BatchCall {
  if (!Array.isArray(inputs)) {
    throw new ConfigurationError(`${owner}: inputs must be an array, got ${kindOf(inputs)}.`, {
      code: 'CONFIG_INVALID_MESSAGES',
    });
  }
  const { maxConcurrency, settle, ...options } = requireOptions(batchOptions ?? {}, owner);
  const bounds = {
    maxConcurrency: parseCount(maxConcurrency ?? 4, 'maxConcurrency', owner),
    signal: options.signal ?? undefined,
  };
  return { settle: parseFlag(settle, 'settle', owner), options, bounds };
}

/** Runs every input, in order, with limited concurrency. The first failure, or the caller's signal, stops the others. */
export async function runBatch<Input, Result>(
  inputs: readonly Input[],
  bounds: BatchBounds,
  run: (input: Input, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const { signal } = bounds;
  const stop = new AbortController();
  const stopFollowing = follow(signal, stop);
  // Aborting here, before the slot is free again, keeps the next input from starting.
  const runOrStop = async (input: Input, own: AbortSignal) => {
    try {
      return await run(input, own);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  };
  try {
    return await Promise.all(start(inputs, bounds, stop.signal, runOrStop));
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    stopFollowing();
  }
}

/** Runs every input and returns how each run settled. The caller's signal ends the whole batch. */
export async function settleBatch<Input, Result>(
  inputs: readonly Input[],
  bounds: BatchBounds,
  run: (input: Input, signal: AbortSignal) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const { signal = new AbortController().signal } = bounds;
  const settled = await Promise.allSettled(start(inputs, bounds, signal, run));
  signal.throwIfAborted();
  return settled;
}

function start<Input, Result>(
  inputs: readonly Input[],
  { maxConcurrency }: BatchBounds,
  signal: AbortSignal,
  run: (input: Input, signal: AbortSignal) => Promise<Result>,
): Promise<Result>[] {
  const limit = pLimit(maxConcurrency);
  // Unlike `map`, it does not skip a hole, which is refused as an input.
  return Array.from(inputs, async (input) =>
    limit(async () => {
      signal.throwIfAborted();
      return run(input, signal);
    }),
  );
}
