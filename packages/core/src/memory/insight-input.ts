import * as z from 'zod';
import { present } from '../present.js';

const nonBlank = z.string().trim().min(1);
const days = z.number().min(0);

export const InsightInputSchema = z.strictObject({
  insightType: z.enum(['lesson', 'warning', 'optimization', 'failure_pattern']),
  content: nonBlank,
  /** Who may be told. @default the orchestrator's */
  sharingScope: z.enum(['agent', 'swarm', 'project', 'org']).optional(),
  agentId: nonBlank.optional(),
  swarmId: nonBlank.optional(),
  /** How much it matters, from 0 to 1. */
  relevanceScore: z.number().min(0).max(1).optional(),
  /** How it loses relevance, such as `exponential`. */
  decayModel: nonBlank.optional(),
  halfLifeDays: days.optional(),
  /** After how many days it is forgotten; `null` means never. */
  ttlDays: days.nullable().optional(),
});
/** An insight: something learned that runs may be told. */
export type InsightInput = z.input<typeof InsightInputSchema>;

export const InsightChangesSchema = InsightInputSchema.partial();
/** What can be changed of a stored insight. */
export type InsightChanges = z.input<typeof InsightChangesSchema>;

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
