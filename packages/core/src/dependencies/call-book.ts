import type { CallFailure } from '../tools/execution/describe-failure.js';

/**
 * The outcome of a call. `value` is the tool's result for consumers in this process; only it may contain private
 * values.
 */
export type CallOutcome =
  | { readonly ok: true; readonly value: unknown; readonly json: unknown }
  | { readonly ok: false; readonly failure: CallFailure };

/** One invocation of a tool in a run. */
export interface Call {
  /** The id of the invocation: the tool event's, or one derived from it. */
  readonly id: string;
  /** The id of the event that requested it; the calls of a batch share it. */
  readonly eventId: string;
  readonly toolName: string;
  /** The {@link PlannedTool.source} of its tool. */
  readonly source: object;
  /** The number of the call among the tool's calls in the session, from 1. */
  readonly ordinal: number;
  /** The planner's arguments. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Settles when the call has ended; never rejects. */
  readonly outcome: Promise<CallOutcome>;
}

/** The call of an agent that opened a session, and the book of the calling session. */
export interface OpeningCall {
  readonly book: CallBook;
  readonly call: Call;
}

/**
 * The calls of a session in the order in which they were requested. All are kept: the reader of the events limits their
 * number.
 */
export class CallBook {
  readonly #calls = new Map<string, Call[]>();
  readonly #openedBy: OpeningCall | undefined;

  constructor(openedBy?: OpeningCall) {
    this.#openedBy = openedBy;
  }

  /**
   * Adds a call before it runs, so that others can find and await it. Returns the call and the function that settles
   * it.
   */
  open(parts: Pick<Call, 'id' | 'eventId' | 'toolName' | 'source' | 'args'>): {
    call: Call;
    settle: (outcome: CallOutcome) => void;
  } {
    const { promise, resolve } = Promise.withResolvers<CallOutcome>();
    const calls = this.#calls.get(parts.toolName) ?? [];
    const call: Call = { ...parts, ordinal: calls.length + 1, outcome: promise };
    calls.push(call);
    this.#calls.set(parts.toolName, calls);
    return { call, settle: resolve };
  }

  /** Returns the calls of a tool in this session. */
  callsOf(toolName: string): readonly Call[] {
    return this.#calls.get(toolName) ?? [];
  }

  /** Returns the latest call of a tool in this session, or else of the same tool in the session that opened it. */
  latest(toolName: string, source: object): Call | undefined {
    const own = this.callsOf(toolName).findLast((call) => call.source === source);
    return own ?? this.#openedBy?.book.latest(toolName, source);
  }

  /** Whether a call opened this session or one around it, so that the call ends only after this session's calls. */
  isWithin(call: Call): boolean {
    return (
      this.#openedBy !== undefined && (this.#openedBy.call === call || this.#openedBy.book.isWithin(call))
    );
  }
}
