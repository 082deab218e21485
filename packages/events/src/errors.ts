import { MaivnSDKError } from '@svc/contracts/sdk-error';

/** An event is malformed and the bridge is `strict`, or its payload is not an object. */
export class EventSchemaError extends MaivnSDKError {
  /** The problems, one sentence each. */
  readonly problems: readonly string[];

  constructor(eventName: string, problems: readonly string[]) {
    super(`Event '${eventName}' failed schema validation: ${problems.join('; ')}`, {
      code: 'EVENT_SCHEMA_INVALID',
      details: { event_name: eventName, problems },
    });
    this.problems = problems;
  }
}

/** Another writer has taken over the session; this one cannot write until it reopens the session. */
export class StaleEpochError extends MaivnSDKError {
  constructor(sessionId: string) {
    super(`Another writer has taken over session '${sessionId}'. Reopen the session to write to it again`, {
      code: 'EVENT_LOG_STALE_EPOCH',
      details: { session_id: sessionId },
    });
  }
}

/** An entry does not directly follow the last one in the log: entries between them were refused or lost. */
export class LogGapError extends MaivnSDKError {
  constructor(sessionId: string, { seq, headSeq }: { seq: number; headSeq: number }) {
    super(`Entry ${seq} of session '${sessionId}' must follow entry ${headSeq}, the last one in the log`, {
      code: 'EVENT_LOG_GAP',
      details: { session_id: sessionId, seq, head_seq: headSeq },
    });
  }
}

/** The log could not be read or written: its file or server is unreachable or full. */
export class EventLogUnavailableError extends MaivnSDKError {
  constructor(action: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The event log could not ${action}: ${reason}`, { code: 'EVENT_LOG_UNAVAILABLE', cause });
  }
}

/** The log has been closed. */
export class LogClosedError extends MaivnSDKError {
  constructor() {
    super('The event log is closed', { code: 'EVENT_LOG_CLOSED' });
  }
}

/** The registry has reached its session limit, and no session is idle. */
export class SessionLimitError extends MaivnSDKError {
  constructor(maxSessions: number) {
    super(`The registry has reached its limit of ${maxSessions} sessions. Remove one or raise maxSessions`, {
      code: 'EVENT_SESSION_LIMIT',
      details: { max_sessions: maxSessions },
    });
  }
}
