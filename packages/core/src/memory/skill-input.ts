import {
  MemorySkillSchema,
  SharingScopeSchema,
  type DefinedSkill,
  type MemorySkill,
  type SharingScope,
} from '@svc/contracts/orchestrator';
import * as z from 'zod';
import type { ShapeOf } from '../config/options.js';
import { isJson, NO_JSON } from '../is-json.js';
import { present } from '../present.js';

const nonBlank = z.string().trim().min(1);
const fields = z.record(z.string(), z.unknown()).refine(isJson, NO_JSON);

/** A skill: a way of doing something that runs may follow. */
export interface SkillInput {
  /** The id of a stored skill, to replace it. */
  id?: string | undefined;
  /** The name; a skill with the same name and without an id is the next version. */
  name: string;
  /** What the skill is for. */
  description?: string | undefined;
  /** The steps. One that is a tool has a single field, such as `{ tool: 'fetch_order' }`. */
  steps?: readonly Record<string, unknown>[] | undefined;
  /** Conditions that must hold before. */
  preconditions?: Record<string, unknown> | undefined;
  /** Conditions that hold afterwards. */
  postconditions?: Record<string, unknown> | undefined;
  /** The caller's own data, kept with the skill; planners do not see it. */
  metadata?: Record<string, unknown> | undefined;
  /** Whose runs may use it. @default the orchestrator's default */
  sharingScope?: SharingScope | undefined;
  /** The id of the agent, for the scope `agent`. */
  agentId?: string | undefined;
  /** The id of the swarm, for the scope `swarm`. */
  swarmId?: string | undefined;
  /** The confidence, from 0 to 1. @default 1 */
  confidence?: number | undefined;
}

export const SkillInputSchema = z.strictObject({
  id: nonBlank.optional(),
  name: nonBlank,
  description: z.string().optional(),
  steps: z.array(fields).readonly().optional(),
  preconditions: fields.optional(),
  postconditions: fields.optional(),
  metadata: fields.optional(),
  sharingScope: SharingScopeSchema.optional(),
  agentId: nonBlank.optional(),
  swarmId: nonBlank.optional(),
  confidence: z.number().min(0).max(1).optional(),
} satisfies ShapeOf<SkillInput>);

export const SkillChangesSchema = SkillInputSchema.omit({ id: true })
  .partial()
  .extend({ status: MemorySkillSchema.shape.status.unwrap().optional() });
/** Changes of a stored skill. */
export interface SkillChanges extends Partial<Omit<SkillInput, 'id' | 'name'>> {
  name?: string | undefined;
  status?: MemorySkill['status'] | undefined;
}

/** Compiles a skill, or changes of one, for the wire. Absent fields stay absent. */
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
