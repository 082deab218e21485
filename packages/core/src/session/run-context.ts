import type { SessionApi } from '../client/session-api.js';
import type { StreamEvent } from '../compile/stream-event.js';
import type { InterruptService } from '../interrupts/interrupt-service.js';
import type { OpenInterrupts } from '../interrupts/open-interrupts.js';
import type { Logger } from '../logging/logger.js';
import type { PrivateValues } from '../privacy/private-values.js';
import type { Runtime } from '../runtime.js';
import type { ReceiptStore } from '../tools/receipts.js';

/** How long the steps of a call may take, in milliseconds. */
export interface RunLimits {
  readonly toolTimeoutMs: number;
  readonly dependencyTimeoutMs: number;
}

/** All that the sessions of one run share. Nothing of a run lives anywhere else. */
export interface RunContext {
  readonly runId: string;
  readonly api: SessionApi;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Aborts when the run is over for the caller, whatever the orchestrator does. */
  readonly signal: AbortSignal;
  /** Aborts the tools and the questions; also when the run was cancelled and only its end is waited for. */
  readonly workSignal: AbortSignal;
  readonly limits: RunLimits;
  /** Bounds how many tools of the run work at once. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  readonly privateValues: PrivateValues;
  /** Arguments with the values of the run's redacted messages in place of their placeholders, in every way they may be meant. */
  readonly restoreArguments: (
    args: Readonly<Record<string, unknown>>,
  ) => readonly Readonly<Record<string, unknown>>[];
  readonly interrupts: OpenInterrupts;
  /** Answers questions that have no handler of their own. */
  readonly interruptService: InterruptService | undefined;
  readonly receipts: ReceiptStore;
  /** The sessions that are open at the orchestrator, to be ended with the run. */
  readonly openSessions: Set<string>;
  /** Ends a session at the orchestrator that nobody follows any more, once its id is known, without waiting for it. */
  readonly abandon: (sessionId: string | Promise<string>) => void;
  /** Whether somebody reads the events, and so can see a question. */
  readonly isAttended: () => boolean;
  /** Gives an event to the run's reader. */
  readonly emit: (event: StreamEvent) => Promise<void>;
}
