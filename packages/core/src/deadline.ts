/** A time limit, the caller's signal, and the error of a timeout. */
export interface Deadline {
  /** In milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  createError: (timeoutMs: number) => Error;
}

/** The longest delay of a Node.js timer; anything longer counts as no limit. */
export const MAX_TIMER_MS = 2_147_483_647;

/**
 * Runs work under a time limit and the caller's signal. The work gets one signal for both; if it ignores it, the returned
 * promise still rejects on time, with the deadline's error or the caller's reason.
 */
export async function withDeadline<Result>(
  deadline: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { timeoutMs, signal, createError } = deadline;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stopFollowing = follow(signal, controller);
  const stopTimer = abortAfter(timeoutMs, controller, createError);
  try {
    return await raceAbort(run(controller.signal), controller.signal);
  } finally {
    stopTimer();
    stopFollowing();
  }
}

/** Makes a controller abort with an error after a time, in milliseconds; returns a function that stops it. */
export function abortAfter(
  timeoutMs: number,
  controller: AbortController,
  createError: Deadline['createError'],
): () => void {
  if (timeoutMs > MAX_TIMER_MS) return () => {};
  const timer = setTimeout(() => controller.abort(createError(timeoutMs)), timeoutMs);
  return () => clearTimeout(timer);
}

/** Settles like the work, but rejects with the signal's reason as soon as the signal aborts. */
export async function raceAbort<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    stop = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop?.();
  }
}

/**
 * Returns a signal that aborts after another one with a delay, in milliseconds, and a function that stops it; without a
 * delay, it is the same signal.
 */
export function abortLater(
  signal: AbortSignal | undefined,
  delayMs: number,
): { late: AbortSignal | undefined; stop: () => void } {
  if (!signal || delayMs === 0) return { late: signal, stop: () => {} };
  signal.throwIfAborted();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => controller.abort(signal.reason), delayMs);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const stop = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  return { late: controller.signal, stop };
}

/** Makes a controller abort with the signal; returns a function that stops it. */
export function follow(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (!signal) return () => {};
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
