/** Calls a listener. Its errors are uncaught, as with an `EventTarget`, and do not affect the caller. */
export function callListener(listener: (() => void) | undefined): void {
  try {
    listener?.();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
