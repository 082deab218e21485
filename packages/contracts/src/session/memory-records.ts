import * as z from 'zod';
import { PersistenceModeSchema, SharingScopeSchema } from './memory-config.js';

const text = z.string().nullish();
const fields = z.record(z.string(), z.unknown());
const record = { organization_id: text, created_at: text, updated_at: text };
const asset = { ...record, id: z.string(), project_id: z.string() };

/** An organization's memory policy. */
export const MemoryPolicySchema = z.looseObject({
  enabled: z.boolean().default(true),
  persistence_ceiling: PersistenceModeSchema.nullish(),
  vector_retention_days: z.number().nullish(),
  graph_retention_days: z.number().nullish(),
});
/** An organization's memory policy. */
export type MemoryPolicy = z.infer<typeof MemoryPolicySchema>;

/** The result of a memory purge. */
export const MemoryPurgeResponseSchema = z.looseObject({
  success: z.boolean(),
  project_ids: z.array(z.string()).default([]),
  session_id: text,
  tables: z.array(z.string()).default([]),
});
/** The result of a memory purge. */
export type MemoryPurgeResponse = z.infer<typeof MemoryPurgeResponseSchema>;

/** A stored skill. */
export const MemorySkillSchema = z.looseObject({
  ...asset,
  agent_id: text,
  swarm_id: text,
  sharing_scope: SharingScopeSchema,
  name: z.string(),
  description: z.string().default(''),
  steps: z.array(fields).default([]),
  preconditions: fields.default({}),
  postconditions: fields.default({}),
  metadata: fields.default({}),
  version: z.number().int().default(1),
  confidence: z.number().default(1),
  application_count: z.number().int().default(0),
  success_rate: z.number().default(0),
  origin: z.enum(['user_defined', 'ai_generated']).default('user_defined'),
  status: z.enum(['active', 'deprecated', 'quarantined']).default('active'),
});
/** A stored skill. */
export type MemorySkill = z.infer<typeof MemorySkillSchema>;

/** A stored insight. */
export const MemoryInsightSchema = z.looseObject({
  ...asset,
  agent_id: text,
  swarm_id: text,
  sharing_scope: SharingScopeSchema,
  insight_type: z.enum(['lesson', 'warning', 'optimization', 'failure_pattern']),
  content: z.string(),
  relevance_score: z.number().default(1),
  decay_model: z.string().default('none'),
  half_life_days: z.number().default(0),
  ttl_days: z.number().nullish(),
  origin: z.enum(['ai_generated', 'user_promoted']).default('user_promoted'),
  promoted_from_id: text,
  expires_at: text,
});
/** A stored insight. */
export type MemoryInsight = z.infer<typeof MemoryInsightSchema>;

/** A stored resource. */
export const MemoryResourceSchema = z.looseObject({
  ...asset,
  resource_thread_id: text,
  name: z.string(),
  description: text,
  tags: z.array(z.string()).default([]),
  format: z.string().default(''),
  size_bytes: z.number().int().default(0),
  sharing_scope: SharingScopeSchema.default('project'),
  binding_type: z.enum(['message', 'agent', 'swarm', 'portal', 'unbound']).default('unbound'),
  bound_agent_id: text,
  bound_swarm_id: text,
  registration_status: z.enum(['registered', 'superseded', 'deleted', 'error']).default('registered'),
  page_count: z.number().nullish(),
  extracted_page_count: z.number().default(0),
  chunk_count: z.number().default(0),
  source_type: z.string().default(''),
  source_url: text,
  query_count: z.number().default(0),
  last_queried_at: text,
  cleanup_candidate: z.boolean().default(false),
  cleanup_candidate_reason: text,
});
/** A stored resource. */
export type MemoryResource = z.infer<typeof MemoryResourceSchema>;

/** A stored resource with where its bytes and versions are. */
export const MemoryResourceDetailSchema = z.looseObject({
  ...MemoryResourceSchema.shape,
  content_hash: z.string().default(''),
  storage_bucket: z.string().default(''),
  storage_path: z.string().default(''),
  metadata: fields.default({}),
  superseded_by: text,
  replaces_resource_id: text,
  extractor_version: z.string().default(''),
  version_chain: z.array(z.unknown()).default([]),
  extraction_stats: fields.default({}),
});
/** A stored resource with where its bytes and versions are. */
export type MemoryResourceDetail = z.infer<typeof MemoryResourceDetailSchema>;

/** An unbound resource that could be removed. */
export const MemoryResourceCandidateSchema = z.looseObject({
  ...asset,
  name: z.string(),
  binding_type: z.string(),
  registration_status: z.string(),
  query_count: z.number().default(0),
  last_queried_at: text,
  unbound_at: text,
  cleanup_candidate_reason: text,
});
/** An unbound resource that could be removed. */
export type MemoryResourceCandidate = z.infer<typeof MemoryResourceCandidateSchema>;
