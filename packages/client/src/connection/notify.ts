/** Calls every listener; one that throws is reported like any listener's error and stops nobody. */
export function notify(listeners: Iterable<() => void>): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
