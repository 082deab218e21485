import type { JsonObject } from '@svc/contracts';

/** One step of memory's work, as displays are told of it. */
export interface MemoryPhase {
  readonly phase: string;
  readonly message: string;
  readonly memory?: JsonObject;
}

/** Takes phases in order. */
export type OnMemoryPhase = (phase: MemoryPhase) => Promise<void>;
