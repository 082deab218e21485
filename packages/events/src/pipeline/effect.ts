import type { HeldBackState } from '@svc/redaction';

/**
 * A change of the turn's state by an accepted event. Effects are plain data: they are applied with the append of the event
 * and stored in the log as its note, so that another writer can apply them again.
 */
export type Effect =
  | readonly ['turn']
  | readonly ['session_start']
  | readonly ['tool_alias', rawId: string, id: string]
  | readonly ['tool_start', id: string, base: string, args: string | null]
  | readonly ['tool_end', id: string]
  | readonly ['member', key: number, member: MemberChange]
  | readonly ['scope', rawId: string | null, key: string | null, id: string]
  | readonly ['interrupt', fingerprint: string]
  | readonly ['status', fingerprint: string]
  | HeldEffect
  | readonly ['held_more', stream: string, text: string];

/**
 * What is held back of a stream; null if nothing is any more. `more` is set if it only grew by this text, so that the note
 * need not repeat all of it.
 */
export type HeldEffect = readonly ['held', stream: string, state: HeldBackState | null, more?: string];

/** How an event changes the action of a swarm member. */
export interface MemberChange {
  readonly id: string;
  readonly agent: string;
  readonly swarm: string | null;
  /** The id the event had, if it had one. */
  readonly rawId: string | null;
  /** Whether a tool event had this id. */
  readonly isTool: boolean;
  /** Whether an assignment had this id. */
  readonly isAssignment: boolean;
  readonly isFinished: boolean;
}
