import {
  MemoryInsightSchema,
  SharingScopeSchema,
  type MemoryInsight,
  type SharingScope,
} from '@svc/contracts/orchestrator';
import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { present } from '../present.js';

const nonBlank = z.string().trim().min(1);
const days = z.number().min(0);

/** An insight: something learned that runs may recall. */
export interface InsightInput {
  /** The type of insight. */
  insightType: MemoryInsight['insight_type'];
  /** What was learned, as text. */
  content: string;
  /** Whose runs may recall it. @default the orchestrator's default */
  sharingScope?: SharingScope | undefined;
  /** The id of the agent, for the scope `agent`. */
  agentId?: string | undefined;
  /** The id of the swarm, for the scope `swarm`. */
  swarmId?: string | undefined;
  /** The relevance, from 0 to 1. */
  relevanceScore?: number | undefined;
  /** The model by which relevance decays, such as `exponential`. */
  decayModel?: string | undefined;
  /** The number of days after which half of the relevance is left. */
  halfLifeDays?: number | undefined;
  /** The number of days after which it is forgotten; `null` means never. */
  ttlDays?: number | null | undefined;
}

export const InsightInputSchema = z.strictObject({
  insightType: MemoryInsightSchema.shape.insight_type,
  content: nonBlank,
  sharingScope: SharingScopeSchema.optional(),
  agentId: nonBlank.optional(),
  swarmId: nonBlank.optional(),
  relevanceScore: z.number().min(0).max(1).optional(),
  decayModel: nonBlank.optional(),
  halfLifeDays: days.optional(),
  ttlDays: days.nullable().optional(),
} satisfies ShapeOf<InsightInput>);

export const InsightChangesSchema = InsightInputSchema.partial();
/** Changes of a stored insight. */
export type InsightChanges = { [Name in keyof InsightInput]?: InsightInput[Name] | undefined };

/** Compiles an insight, or changes of one, for the wire. */
export function compileInsight(insight: InsightChanges): Record<string, unknown> {
  return present({
    insight_type: insight.insightType,
    content: insight.content,
    sharing_scope: insight.sharingScope,
    agent_id: insight.agentId,
    swarm_id: insight.swarmId,
    relevance_score: insight.relevanceScore,
    decay_model: insight.decayModel,
    half_life_days: insight.halfLifeDays,
    ttl_days: insight.ttlDays,
  });
}
