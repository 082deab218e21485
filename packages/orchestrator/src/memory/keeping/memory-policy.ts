import { PersistenceModeSchema, type MemoryPolicy } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { DAY_MS } from '../../clock.js';

/** How much is kept, from least to most. */
const modes = PersistenceModeSchema.options;

/** How much is kept of what a run brings and learns. */
export type PersistenceMode = z.infer<typeof PersistenceModeSchema>;

const days = z.number().min(0).max(36_500).nullable();

/** What a change of a policy may say; `null` takes a limit away, and says nothing of `enabled`. */
export const PolicyChangeSchema = z.object({
  enabled: z.boolean().nullish(),
  persistence_ceiling: PersistenceModeSchema.nullable().optional(),
  vector_retention_days: days.optional(),
  graph_retention_days: days.optional(),
});

/** A policy in force: what is not said has no limit. */
export interface EffectivePolicy {
  readonly isEnabled: boolean;
  readonly ceiling: PersistenceMode;
  readonly vectorRetentionDays?: number;
  readonly graphRetentionDays?: number;
}

/** Reads a stored policy. */
export function effectivePolicy(policy: MemoryPolicy): EffectivePolicy {
  const { enabled, persistence_ceiling, vector_retention_days, graph_retention_days } = policy;
  return {
    isEnabled: enabled,
    ceiling: persistence_ceiling ?? 'vector_plus_graph',
    ...(vector_retention_days == null ? {} : { vectorRetentionDays: vector_retention_days }),
    ...(graph_retention_days == null ? {} : { graphRetentionDays: graph_retention_days }),
  };
}

/** The lesser of what a run asks for and what its organization allows. */
export function persistenceWithin(
  asked: PersistenceMode,
  { isEnabled, ceiling }: EffectivePolicy,
): PersistenceMode {
  if (!isEnabled) return 'persist_none';
  return modes[Math.min(modes.indexOf(asked), modes.indexOf(ceiling))] ?? 'persist_none';
}

/** The time before which nothing is found; the beginning of time without a limit. */
export function retainedSince(retentionDays: number | undefined, nowMs: number): number {
  return retentionDays === undefined ? 0 : nowMs - retentionDays * DAY_MS;
}
