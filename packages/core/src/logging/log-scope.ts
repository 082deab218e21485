import { AsyncLocalStorage } from 'node:async_hooks';

/** Removes known private values from the fields of a log line, including its message. */
export type CleanFields = (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

const scope = new AsyncLocalStorage<CleanFields>();

/** Runs work whose log lines are cleaned, whichever logger writes them. Scopes can be nested. */
export function withCleanLog<Result>(clean: CleanFields, work: () => Result): Result {
  const outer = scope.getStore();
  return scope.run(outer ? (fields) => outer(clean(fields)) : clean, work);
}

/** Returns the cleaning function of the current scope; outside of one, it changes nothing. */
export function scopedClean(): CleanFields {
  return scope.getStore() ?? ((fields) => fields);
}
