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

/** An insight: something learned that runs may be told. */
export interface InsightInput {
  /** What kind of learning it is. */
  insightType: MemoryInsight['insight_type'];
  /** What was learned, in words. */
  content: string;
  /** Who may be told. @default the orchestrator's */
  sharingScope?: SharingScope | undefined;
  /** The agent whose runs those are, for the scope `agent`. */
  agentId?: string | undefined;
  /** The swarm whose runs those are, for the scope `swarm`. */
  swarmId?: string | undefined;
  /** How much it matters, from 0 to 1. */
  relevanceScore?: number | undefined;
  /** How it loses relevance, such as `exponential`. */
  decayModel?: string | undefined;
  /** After how many days it has lost half of its relevance. */
  halfLifeDays?: number | undefined;
  /** After how many days it is forgotten; `null` means never. */
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
/** What can be changed of a stored insight. */
export type InsightChanges = { [Name in keyof InsightInput]?: InsightInput[Name] | undefined };

/** An insight, or changes of one, on the wire. */
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
