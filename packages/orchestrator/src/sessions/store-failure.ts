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

const dataErrors = [TypeError, RangeError, SyntaxError, z.ZodError];

/** What cannot be written or read for what it is fails again each time; an outage does not. */
function storeFailureOf(error: unknown): unknown {
  if (error instanceof StoreFailure || (isSdkError(error) && error.code === 'RUN_UNREADABLE')) return error;
  // A lost connection can be a TypeError too (`fetch failed`), but it has a cause.
  const isOfData = dataErrors.some((kind) => error instanceof kind);
  return isOfData && error instanceof Error && error.cause === undefined ? error : new StoreFailure(error);
}
