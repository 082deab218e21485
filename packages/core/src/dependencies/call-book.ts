import type { CallFailure } from '../tools/describe-failure.js';

/** How a call ended. `value` is what the tool returned, for consumers in this process; private values are in nothing else of it. */
export type CallOutcome =
  | { readonly ok: true; readonly value: unknown; readonly json: unknown }
  | { readonly ok: false; readonly failure: CallFailure };

/** One invocation of a tool in a run. */
export interface Call {
  /** The id of the invocation: the tool event's, or one derived from it. */
  readonly id: string;
  /** The event that asked for it; calls of one batch share it. */
  readonly eventId: string;
  readonly toolName: string;
  /** The {@link PlannedTool.source} of its tool. */
  readonly source: object;
  /** Which call of this tool it is in the session, from 1. */
  readonly ordinal: number;
  /** What the planner filled. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Settles when the call has ended; never rejects. */
  readonly outcome: Promise<CallOutcome>;
}

/** The call of an agent by which a session was opened, and the calls of the session that asked. */
export interface OpeningCall {
  readonly book: CallBook;
  readonly call: Call;
}

/** The calls of a session in the order they were asked for. None is forgotten: whoever takes the events in bounds how many there are. */
export class CallBook {
  readonly #calls = new Map<string, Call[]>();
  readonly #openedBy: OpeningCall | undefined;

  constructor(openedBy?: OpeningCall) {
    this.#openedBy = openedBy;
  }

  /** Notes a call before anything of it runs, so that others can find and await it. Returns how to settle it. */
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

  /** The calls of a tool in this session. */
  callsOf(toolName: string): readonly Call[] {
    return this.#calls.get(toolName) ?? [];
  }

  /** The latest call of a tool in this session, or else of the very same one in the session that opened it. */
  latest(toolName: string, source: object): Call | undefined {
    const own = this.callsOf(toolName).findLast((call) => call.source === source);
    return own ?? this.#openedBy?.book.latest(toolName, source);
  }

  /** Whether a call opened this session, or one that this one is inside of: it ends only after this session's calls. */
  isWithin(call: Call): boolean {
    return (
      this.#openedBy !== undefined && (this.#openedBy.call === call || this.#openedBy.book.isWithin(call))
    );
  }
}
