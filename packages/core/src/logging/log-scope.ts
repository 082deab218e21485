import { AsyncLocalStorage } from 'node:async_hooks';

/** Takes known private values out of the fields of a log line, its message among them. */
export type CleanFields = (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

const scope = new AsyncLocalStorage<CleanFields>();

/** Does work whose log lines are cleaned, whichever logger writes them; also within work that is in such a scope itself. */
export function withCleanLog<T>(clean: CleanFields, work: () => T): T {
  const outer = scope.getStore();
  return scope.run(outer ? (fields) => outer(clean(fields)) : clean, work);
}

/** What cleans the log lines of the code that asks; outside of such work it changes nothing. */
export function scopedClean(): CleanFields {
  return scope.getStore() ?? ((fields) => fields);
}
