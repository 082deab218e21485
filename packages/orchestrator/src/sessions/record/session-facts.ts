import type { JsonObject } from '@svc/contracts';
import type { MemorySubject } from '../../memory/runs/memory-subject.js';
import type { PlanContext } from '../../planning/plan-context.js';

/** What stays the same during a run: the request, compiled once. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly threadId?: string;
  readonly createdAtMs: number;
  /** The planner's context without the parts that change. */
  readonly plan: Omit<PlanContext, 'steps' | 'now' | 'memory'>;
  /** Whose run it is, for displays. */
  readonly scope: { readonly type: 'agent' | 'swarm'; readonly id?: string; readonly name?: string };
  /** What redaction did to the request: names and counts. */
  readonly redaction?: JsonObject;
  /** The run as memory sees it; absent when it uses no memory. */
  readonly memory?: MemorySubject;
  /** Whether text is streamed as it is written. */
  readonly streamsText: boolean;
  readonly sendsStatus: boolean;
  /** How long the run may work, not counting the time it waits for people. */
  readonly runTimeoutMs: number;
  readonly toolTimeoutMs: number;
  readonly checkpointTtlMs: number;
}
