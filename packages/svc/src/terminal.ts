/** What a command needs of the outside, so that tests can run it without a process of its own. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
  /** Ends a command that waits, on Ctrl+C or SIGTERM. */
  signal: AbortSignal;
}

/** A call of the command line that cannot be carried out; the message says what was given and how to mend it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
