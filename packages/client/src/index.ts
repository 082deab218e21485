export type {
  EventStream,
  EventStreamOptions,
  RequestHeaders,
  StreamStatus,
} from './connection/event-stream.js';
export { reduceRun } from './state/reduce-run.js';
export { initialRunState } from './state/run-state.js';
export type {
  ActionCard,
  Card,
  CardStatus,
  GapNotice,
  InterruptCard,
  MessageCard,
  RunState,
  ScopeCard,
  StatusCard,
  Turn,
} from './state/run-state.js';
export { openEventStream } from './connection/open-event-stream.js';
export { StreamRefusedError } from './connection/stream-refused-error.js';
export type { RunSnapshot } from './store/run-feed.js';
export { createRunStore } from './store/run-store.js';
export type { RunStore, RunStoreOptions } from './store/run-store.js';
export type {
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
