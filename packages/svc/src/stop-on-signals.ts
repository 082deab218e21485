const signals = ['SIGINT', 'SIGTERM'] as const;

/** Returns what the first SIGINT or SIGTERM aborts. */
export function stopOnSignals(): AbortController {
  const stop = new AbortController();
  /** After the first signal, Node's default applies: a second one, of either kind, ends the process at once. */
  const onSignal = () => {
    for (const signal of signals) process.off(signal, onSignal);
    stop.abort();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return stop;
}
