import { PersistenceModeSchema, type MemoryPolicy } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { DAY_MS } from '../../clock.js';

/** How much is kept, from least to most. */
const modes = PersistenceModeSchema.options;

/** How much is stored of the assets in a run's request and of what the run learns. */
export type PersistenceMode = z.infer<typeof PersistenceModeSchema>;

const days = z.number().min(0).max(36_500).nullable();

/** The fields of a policy change. `null` removes a limit, and leaves `enabled` unchanged. */
export const PolicyChangeSchema = z.object({
  enabled: z.boolean().nullish(),
  persistence_ceiling: PersistenceModeSchema.nullable().optional(),
  vector_retention_days: days.optional(),
  graph_retention_days: days.optional(),
});

/** The policy in force; an absent field means no limit. */
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
  requested: PersistenceMode,
  { isEnabled, ceiling }: EffectivePolicy,
): PersistenceMode {
  if (!isEnabled) return 'persist_none';
  return modes[Math.min(modes.indexOf(requested), modes.indexOf(ceiling))] ?? 'persist_none';
}

/** The time before which nothing is found; 0 without a limit. */
export function retainedSince(retentionDays: number | undefined, nowMs: number): number {
  return retentionDays === undefined ? 0 : nowMs - retentionDays * DAY_MS;
}
