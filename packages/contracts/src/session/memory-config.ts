import * as z from 'zod';

const share = z.number().min(0).max(1).nullish();
const count = z.number().int().min(1).nullish();

/** Who sees a memory asset. */
export const SharingScopeSchema = z.enum(['agent', 'swarm', 'project', 'org']);
/** Who sees a memory asset. */
export type SharingScope = z.infer<typeof SharingScopeSchema>;

/** How much memory is stored, from least to most. */
export const PersistenceModeSchema = z.enum(['persist_none', 'vector_only', 'vector_plus_graph']);

/** How much memory is injected into a run. */
export const MemoryRetrievalSchema = z.looseObject({
  top_k: count,
  candidate_limit: count,
  skills_enabled: z.boolean().nullish(),
  insights_enabled: z.boolean().nullish(),
  resources_enabled: z.boolean().nullish(),
  skill_injection_max_count: count,
  insight_injection_max_count: count,
  resource_injection_max_count: count,
  insight_relevance_floor: share,
});

/** Whether and how a run uses memory. */
export const MemoryConfigSchema = z.looseObject({
  enabled: z.boolean().nullish(),
  level: z.enum(['none', 'glimpse', 'focus', 'clarity']).nullish(),
  summarization_enabled: z.boolean().nullish(),
  persistence_mode: PersistenceModeSchema.nullish(),
  retrieval: MemoryRetrievalSchema.nullish(),
  skill_extraction: z
    .looseObject({
      enabled: z.boolean().nullish(),
      sharing_scope: SharingScopeSchema.nullish(),
      confidence_threshold: share,
      max_count: count,
    })
    .nullish(),
  insight_extraction: z
    .looseObject({
      enabled: z.boolean().nullish(),
      sharing_scope: z.enum(['agent', 'swarm']).nullish(),
      max_count: count,
      min_relevance_score: share,
    })
    .nullish(),
});
/** Whether and how a run uses memory. */
export type MemoryConfigRecord = z.infer<typeof MemoryConfigSchema>;

/** A skill sent with a request, named by `name` or `title`. */
export const DefinedSkillSchema = z.looseObject({
  skill_id: z.string().nullish(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  content: z.string().nullish(),
  steps: z.array(z.unknown()).nullish(),
});
/** A skill sent with a request. */
export type DefinedSkill = z.infer<typeof DefinedSkillSchema>;

/** A resource sent with a request. */
export const BoundResourceSchema = z.looseObject({
  resource_id: z.string().nullish(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  binding_type: z.string().nullish(),
  mime_type: z.string().nullish(),
  content_base64: z.string().nullish(),
  source_url: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
});
/** A resource sent with a request. */
export type BoundResource = z.infer<typeof BoundResourceSchema>;

/** The memory assets of one run. */
export const MemoryAssetsConfigSchema = z.looseObject({
  defined_skills: z.array(DefinedSkillSchema).nullish(),
  bound_resources: z.array(BoundResourceSchema).nullish(),
  recall_turn_active: z.boolean().nullish(),
});
/** The memory assets of one run. */
export type MemoryAssetsConfig = z.infer<typeof MemoryAssetsConfigSchema>;
