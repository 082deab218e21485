/**
 * What an entry means for the turn and the session:
 * `event`: both continue; `turn_end`: no events until the next `turn_start`; `turn_start`: a new turn, without a frame;
 * `session_end`: no events until a new turn is started.
 */
export type EntryKind = 'event' | 'turn_start' | 'turn_end' | 'session_end';
