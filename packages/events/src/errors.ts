import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** An event is malformed, and the bridge is `strict`; or its data is nothing a bridge can take. */
export class EventSchemaError extends MaivnSDKError {
  /** What is wrong, one sentence each. */
  readonly problems: readonly string[];

  constructor(eventName: string, problems: readonly string[]) {
    super(`Event '${eventName}' failed schema validation: ${problems.join('; ')}`, {
      code: 'EVENT_SCHEMA_INVALID',
      details: { event_name: eventName, problems },
    });
    this.problems = problems;
  }
}

/** Another writer has taken the session over; this one can write no more until it opens the session again. */
export class StaleEpochError extends MaivnSDKError {
  constructor(sessionId: string) {
    super(
      `Another writer has taken session '${sessionId}' over: this one can add nothing until it reopens the session`,
      { code: 'EVENT_LOG_STALE_EPOCH', details: { session_id: sessionId } },
    );
  }
}

/** An entry does not follow the last one of the log: entries before it were refused or lost. */
export class LogGapError extends MaivnSDKError {
  constructor(sessionId: string, { seq, headSeq }: { seq: number; headSeq: number }) {
    super(`Entry ${seq} of session '${sessionId}' does not follow the last one held, ${headSeq}`, {
      code: 'EVENT_LOG_GAP',
      details: { session_id: sessionId, seq, head_seq: headSeq },
    });
  }
}

/** The log could not be read or written: its file or its server cannot be reached, or is full. */
export class EventLogUnavailableError extends MaivnSDKError {
  constructor(doing: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The event log cannot ${doing}: ${reason}`, { code: 'EVENT_LOG_UNAVAILABLE', cause });
  }
}

/** The log has been closed. */
export class LogClosedError extends MaivnSDKError {
  constructor() {
    super('The event log is closed', { code: 'EVENT_LOG_CLOSED' });
  }
}

/** There are as many sessions as the registry may hold, and none of them is idle. */
export class SessionLimitError extends MaivnSDKError {
  constructor(maxSessions: number) {
    super(`The registry holds ${maxSessions} sessions, its limit; remove one or raise maxSessions`, {
      code: 'EVENT_SESSION_LIMIT',
      details: { max_sessions: maxSessions },
    });
  }
}
