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

/** Where a card or a turn stands. `unknown` is what was open when its end was lost. */
export type CardStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'unknown';

/** What every card has. */
export interface CardBase {
  /** Unique within the turn, and stable: a key for lists. */
  readonly key: string;
  /** The descriptor's id that the card is kept under. */
  readonly id: string;
  readonly status: CardStatus;
  /** True when the end of the turn closed this card, because its own end never came. */
  readonly settled: boolean;
  /** When its first event was made, as the event says it. */
  readonly started_at: string;
  /** When its last event was made. */
  readonly updated_at: string;
  readonly scope: ScopeDescriptor;
  readonly participant: ParticipantDescriptor;
}

/** A call of a tool, a system tool, or work given to an agent. One id, one card: a swarm member's call and its assignment are one. */
export interface ActionCard extends CardBase {
  readonly kind: 'action';
  readonly tool: ToolDescriptor | null;
  readonly assignment: AssignmentDescriptor | null;
  readonly agent_name: string | null;
  readonly swarm_name: string | null;
  /** The last 100 pieces of progress. */
  readonly chunks: readonly ChunkDescriptor[];
  /** The last 100 hooks that ran for this call. */
  readonly hooks: readonly HookDescriptor[];
}

/** What one assistant says in this turn. */
export interface MessageCard extends CardBase {
  readonly kind: 'message';
  readonly text: string;
}

/** A line of status, which stands alone. */
export interface StatusCard extends CardBase {
  readonly kind: 'status';
  readonly assistant_id?: string | null | undefined;
  readonly message: string;
}

/** What an agent, a swarm or the session as a whole goes through. */
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

/** One thing to show, told apart by `kind`. */
export type Card = ActionCard | MessageCard | StatusCard | ScopeCard | InterruptCard;

/** One turn: what happened from a question to its answer. */
export interface Turn {
  /** Unique within the run, and stable: a key for lists. */
  readonly key: string;
  readonly status: CardStatus;
  readonly started_at: string;
  readonly ended_at?: string;
  /** The session of its run, once that is known. */
  readonly session?: SessionDescriptor;
  /** Everything to show, in the order it first came; the last 1,000. */
  readonly cards: readonly Card[];
  /** The phase that the turn is in, or was in when it ended. */
  readonly enrichment?: EnrichmentDescriptor;
  /** The answer, when it ended with one. */
  readonly output?: OutputDescriptor;
  /** What went wrong, when it ended with an error. */
  readonly error_info?: ErrorInfoDescriptor;
}

/** Events that were lost before they could be read. */
export interface GapNotice {
  /** `evicted`, `epoch`, `unknown` or `dropped`; open list. */
  readonly reason?: string;
  readonly requested_id?: string;
  readonly oldest_id?: string;
  readonly timestamp: string;
}

/** What a page can show of a session. Every list is bounded, oldest dropped first. */
export interface RunState {
  readonly session: SessionDescriptor | null;
  /** The last 100, oldest first; the last one is the current one. */
  readonly turns: readonly Turn[];
  /** True after `session_end`: nothing more will come. */
  readonly ended: boolean;
  readonly gaps: readonly GapNotice[];
  /** The last 100 events of other names, as they came: an application's own, and all of another `contract_version`. */
  readonly other_events: readonly EventEnvelope[];
}

/** A run of which nothing is known yet. */
export const initialRunState: RunState = {
  session: null,
  turns: [],
  ended: false,
  gaps: [],
  other_events: [],
};
