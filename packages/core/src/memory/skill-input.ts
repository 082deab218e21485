import type { DefinedSkill } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { present } from '../present.js';

const nonBlank = z.string().trim().min(1);
const fields = z.record(z.string(), z.unknown());

export const SkillInputSchema = z.strictObject({
  /** The id of a skill that is stored already, to say it anew. */
  id: nonBlank.optional(),
  name: nonBlank,
  description: z.string().optional(),
  /** What to do, step by step. */
  steps: z.array(fields).readonly().optional(),
  preconditions: fields.optional(),
  postconditions: fields.optional(),
  metadata: fields.optional(),
  /** Who may use it. @default the orchestrator's */
  sharingScope: z.enum(['agent', 'swarm', 'project', 'org']).optional(),
  agentId: nonBlank.optional(),
  swarmId: nonBlank.optional(),
  /** How sure it is, from 0 to 1. @default 1 */
  confidence: z.number().min(0).max(1).optional(),
});
/** A skill: a way of doing something that runs may follow. */
export type SkillInput = z.input<typeof SkillInputSchema>;

export const SkillChangesSchema = SkillInputSchema.omit({ id: true })
  .partial()
  .extend({ status: z.enum(['active', 'deprecated', 'quarantined']).optional() });
/** What can be changed of a stored skill. */
export type SkillChanges = z.input<typeof SkillChangesSchema>;

/** A skill, or changes of one, on the wire. Fields that are absent stay absent. */
export function compileSkill(skill: Partial<SkillInput> & SkillChanges): DefinedSkill {
  const { id, name, description, steps, preconditions, postconditions, metadata } = skill;
  const { sharingScope, agentId, swarmId, confidence, status } = skill;
  return present({
    skill_id: id,
    name,
    description,
    steps: steps && [...steps],
    preconditions,
    postconditions,
    metadata,
    sharing_scope: sharingScope,
    agent_id: agentId,
    swarm_id: swarmId,
    confidence,
    status,
  });
}
