import type {
  AssignmentDescriptor,
  ChunkDescriptor,
  EnrichmentDescriptor,
  ErrorInfoDescriptor,
  EventEnvelope,
  HookDescriptor,
  InterruptDescriptor,
  OutputDescriptor,
  ParticipantDescriptor,
  ScopeDescriptor,
  SessionDescriptor,
  ToolDescriptor,
} from '@svc/contracts';

/** The status of a card or a turn. `unknown` means that it was open when its end was lost. */
export type CardStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'unknown';

/** The fields of every card. */
export interface CardBase {
  /** A stable key for lists, unique within the turn. */
  readonly key: string;
  /** The id of the descriptor that identifies the card. */
  readonly id: string;
  readonly status: CardStatus;
  /** True if the end of the turn closed this card because its own end never arrived. */
  readonly settled: boolean;
  /** The timestamp of its first event. */
  readonly started_at: string;
  /** The timestamp of its last event. */
  readonly updated_at: string;
  readonly scope: ScopeDescriptor;
  readonly participant: ParticipantDescriptor;
}

/** A call of a tool or system tool, or an agent's assignment. A swarm member's call and its assignment share a card. */
export interface ActionCard extends CardBase {
  readonly kind: 'action';
  readonly tool: ToolDescriptor | null;
  readonly assignment: AssignmentDescriptor | null;
  readonly agent_name: string | null;
  readonly swarm_name: string | null;
  /** The last 100 progress chunks. */
  readonly chunks: readonly ChunkDescriptor[];
  /** The last 100 hooks that ran for this call. */
  readonly hooks: readonly HookDescriptor[];
}

/** The text of one assistant in this turn. */
export interface MessageCard extends CardBase {
  readonly kind: 'message';
  readonly text: string;
}

/** A single status line. */
export interface StatusCard extends CardBase {
  readonly kind: 'status';
  readonly assistant_id?: string | null | undefined;
  readonly message: string;
}

/** The phases and hooks of an agent, a swarm or the whole session. */
export interface ScopeCard extends CardBase {
  readonly kind: 'scope';
  /** The last 100 phases, oldest first. */
  readonly enrichments: readonly EnrichmentDescriptor[];
  /** The last 100 hooks that ran for this scope. */
  readonly hooks: readonly HookDescriptor[];
}

/** A question to a person. It is `pending` until its turn ends; the contract has no event for an answer. */
export interface InterruptCard extends CardBase {
  readonly kind: 'interrupt';
  readonly interrupt: InterruptDescriptor;
}

/** One thing to show, discriminated by `kind`. */
export type Card = ActionCard | MessageCard | StatusCard | ScopeCard | InterruptCard;

/** One turn: everything from a question to its answer. */
export interface Turn {
  /** A stable key for lists, unique within the run. */
  readonly key: string;
  readonly status: CardStatus;
  readonly started_at: string;
  readonly ended_at?: string;
  /** The session of its run, once known. */
  readonly session?: SessionDescriptor;
  /** Everything to show, in order of first appearance; the last 1,000. */
  readonly cards: readonly Card[];
  /** The phase of the turn, or its last phase if it has ended. */
  readonly enrichment?: EnrichmentDescriptor;
  /** The answer, if the turn ended with one. */
  readonly output?: OutputDescriptor;
  /** The error, if the turn ended with one. */
  readonly error_info?: ErrorInfoDescriptor;
}

/** Events that were lost before they could be read. */
export interface GapNotice {
  /** `evicted`, `epoch`, `unknown` or `dropped`; the list is open. */
  readonly reason?: string;
  readonly requested_id?: string;
  readonly oldest_id?: string;
  readonly timestamp: string;
}

/** The state of a session to render. Every list is bounded; the oldest items are dropped first. */
export interface RunState {
  readonly session: SessionDescriptor | null;
  /** The last 100 turns, oldest first; the last one is the current one. */
  readonly turns: readonly Turn[];
  /** True after `session_end`: no more events will arrive. */
  readonly ended: boolean;
  readonly gaps: readonly GapNotice[];
  /** The last 100 other events, unchanged: an application's own, and those of another `contract_version`. */
  readonly other_events: readonly EventEnvelope[];
}

/** The state of a run before its first event. */
export const initialRunState: RunState = {
  session: null,
  turns: [],
  ended: false,
  gaps: [],
  other_events: [],
};
