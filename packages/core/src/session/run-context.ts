import type { SessionApi } from '../client/session-api.js';
import type { StreamEvent } from '../compile/stream-event.js';
import type { InterruptService } from '../interrupts/interrupt-service.js';
import type { OpenInterrupts } from '../interrupts/open-interrupts.js';
import type { Logger } from '../logging/logger.js';
import type { PrivateValues } from '../privacy/private-values.js';
import type { Runtime } from '../runtime.js';
import type { ReceiptStore } from '../tools/receipts/receipts.js';

/** The time limits of a call's steps, in milliseconds. */
export interface RunLimits {
  readonly toolTimeoutMs: number;
  readonly dependencyTimeoutMs: number;
}

/** The state that the sessions of one run share. A run has no other state. */
export interface RunContext {
  readonly runId: string;
  readonly api: SessionApi;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Aborts when the run has ended for the caller, whatever the orchestrator does. */
  readonly signal: AbortSignal;
  /** Aborts tools and questions, also when the run was cancelled and is only waiting for its end. */
  readonly workSignal: AbortSignal;
  readonly limits: RunLimits;
  /** Limits the concurrent tool calls of the run. */
  readonly limit: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly privateValues: PrivateValues;
  /**
   * Returns the possible readings of the arguments, with the values of the run's redacted messages in place of their
   * placeholders.
   */
  readonly restoreArguments: (
    args: Readonly<Record<string, unknown>>,
  ) => readonly Readonly<Record<string, unknown>>[];
  readonly interrupts: OpenInterrupts;
  /** Answers questions without their own handler. */
  readonly interruptService: InterruptService | undefined;
  readonly receipts: ReceiptStore;
  /** The open sessions at the orchestrator, which end with the run. */
  readonly openSessions: Set<string>;
  /** Ends a session that is no longer followed, once its id is known, without waiting for it. */
  readonly abandon: (sessionId: string | Promise<string>) => void;
  /** Whether there is a reader of the events, who can see a question. */
  readonly isAttended: () => boolean;
  /** Emits an event to the run's reader. */
  readonly emit: (event: StreamEvent) => Promise<void>;
}
