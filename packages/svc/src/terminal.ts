/** The surroundings of a command, so that tests can run it in their own process. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
  /** Ends a command that waits, on Ctrl+C or SIGTERM. */
  signal: AbortSignal;
}

/** A command that cannot be carried out; the message says why and how to fix it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
