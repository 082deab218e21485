/** The limits of what is kept for clients between their requests. */
export interface SessionLimits {
  /** The maximum number of concurrent sessions; without sessions, that of calls that wait for answers. */
  readonly maxSessions: number;
  /** How long a session is kept without a request, and the result of a waiting call, in milliseconds. */
  readonly sessionIdleMs: number;
}
