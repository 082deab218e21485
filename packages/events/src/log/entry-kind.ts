/**
 * What an entry means for the turn and the session:
 * `event`: they go on; `turn_end`: nothing more before the next `turn_start`; `turn_start`: a new turn, has no frame;
 * `session_end`: nothing more until somebody starts a turn again.
 */
export type EntryKind = 'event' | 'turn_start' | 'turn_end' | 'session_end';
