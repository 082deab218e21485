/** The limits of what is kept for clients between their requests. */
export interface SessionLimits {
  /** The maximum number of concurrent sessions; without sessions, that of calls that wait for answers. */
  readonly maxSessions: number;
  /** How long a session, or the result of a waiting call, is kept without a request, in milliseconds. */
  readonly sessionIdleMs: number;
}
