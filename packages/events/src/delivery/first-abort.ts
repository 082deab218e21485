/**
 * Returns a signal that aborts with the first of the given ones, and a function that detaches it from them. With
 * `AbortSignal.any`, Node leaks memory in long-lived signals.
 */
export function firstAbort(signals: readonly (AbortSignal | undefined)[]): {
  signal: AbortSignal;
  detach: () => void;
} {
  const first = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  const detach = () => {
    for (const signal of given) signal.removeEventListener('abort', abort);
  };
  const abort = () => {
    detach();
    first.abort(given.find(({ aborted }) => aborted)?.reason);
  };
  for (const signal of given) signal.addEventListener('abort', abort);
  if (given.some(({ aborted }) => aborted)) abort();
  return { signal: first.signal, detach };
}
