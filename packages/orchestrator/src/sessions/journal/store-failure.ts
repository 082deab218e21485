import type { RunStore } from '@svc/contracts/orchestrator';
import { isSdkError } from '@svc/contracts/sdk-error';
import * as z from 'zod';

/** The store failed, which says nothing about the run; `cause` is what the store threw. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';

  constructor(cause: unknown) {
    super('The store failed.', { cause });
  }
}

/** Awaits work of the store. @throws StoreFailure when the store fails; errors caused by the data pass unchanged */
export async function fromStore<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw storeFailureOf(error);
  }
}

/** Yields what the store reads, with failures as in `fromStore`. */
export async function* eachFromStore<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void> {
  try {
    yield* items;
  } catch (error) {
    throw storeFailureOf(error);
  }
}

/** The same store with methods that reject as in `fromStore`. A followed journal fails as before. */
export function storeWithFailures(store: RunStore): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, args);
        return result instanceof Promise ? fromStore(result) : result;
      };
    },
  });
}

const dataErrors = [TypeError, RangeError, SyntaxError, z.ZodError];

/** Codes of store errors about some of its data rather than the store itself. */
const dataCodes: ReadonlySet<string> = new Set([
  'RUN_UNREADABLE',
  'RUN_EXISTS',
  'TOO_MANY_RUNS',
  'DOCUMENT_UNREADABLE',
]);

/** Data that cannot be written or read fails again every time; an outage does not. */
function storeFailureOf(error: unknown): unknown {
  if (error instanceof StoreFailure || (isSdkError(error) && dataCodes.has(error.code))) return error;
  // A lost connection can be a TypeError too (`fetch failed`), but it has a cause.
  const isOfData = dataErrors.some((kind) => error instanceof kind);
  return isOfData && error instanceof Error && error.cause === undefined ? error : new StoreFailure(error);
}
