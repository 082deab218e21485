/** What a command uses of its process; tests pass their own. */
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
