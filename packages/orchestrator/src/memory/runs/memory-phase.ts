import type { JsonObject } from '@svc/contracts';

/** One step of memory's work, as reported to displays. */
export interface MemoryPhase {
  readonly phase: string;
  readonly message: string;
  readonly memory?: JsonObject;
}

/** Receives phases in order. */
export type OnMemoryPhase = (phase: MemoryPhase) => Promise<void>;
