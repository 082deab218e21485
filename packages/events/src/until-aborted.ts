/** Settles like the work, or resolves to undefined as soon as the signal aborts; the work then ends by itself. */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | null | undefined,
): Promise<Result | undefined> {
  if (signal == null) return work;
  const aborted = Promise.withResolvers<undefined>();
  const stop = () => aborted.resolve(undefined);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
