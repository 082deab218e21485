/** Calls a listener. What it throws is uncaught, as what an event target's throws: it is no failure of who calls it. */
export function callListener(listener: (() => void) | undefined): void {
  try {
    listener?.();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
