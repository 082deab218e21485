import type { RunStore } from '@svc/contracts/orchestrator';
import { isSdkError } from '@svc/contracts/sdk-error';
import * as z from 'zod';

/** The store could not do what a run asked of it, which says nothing of the run; `cause` is what the store threw. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';

  constructor(cause: unknown) {
    super('The store failed.', { cause });
  }
}

/** Work that only waits for the store. @throws StoreFailure when that fails, and what the data itself makes fail */
export async function fromStore<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw storeFailureOf(error);
  }
}

/** What the store reads, with failures as `fromStore` has them. */
export async function* eachFromStore<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void> {
  try {
    yield* items;
  } catch (error) {
    throw storeFailureOf(error);
  }
}

/** The same store, whose methods reject as `fromStore` has it. A journal that is followed fails as it did. */
export function storeWithFailures(store: RunStore): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, given);
        return result instanceof Promise ? fromStore(result) : result;
      };
    },
  });
}

const dataErrors = [TypeError, RangeError, SyntaxError, z.ZodError];

/** What a store says of one run, not of itself. */
const runCodes: ReadonlySet<string> = new Set(['RUN_UNREADABLE', 'RUN_EXISTS']);

/** What cannot be written or read for what it is fails again each time; an outage does not. */
function storeFailureOf(error: unknown): unknown {
  if (error instanceof StoreFailure || (isSdkError(error) && runCodes.has(error.code))) return error;
  // A lost connection can be a TypeError too (`fetch failed`), but it has a cause.
  const isOfData = dataErrors.some((kind) => error instanceof kind);
  return isOfData && error instanceof Error && error.cause === undefined ? error : new StoreFailure(error);
}
