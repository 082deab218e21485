import { PersistenceModeSchema, SharingScopeSchema, type SharingScope } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { checkOptions, type ShapeOf } from '../config/options.js';

const count = z.number().int().min(1).optional();
const flag = z.boolean().optional();
const fraction = z.number().min(0).max(1).optional();

/** Settings for what is recalled for a run. */
interface RetrievalConfig {
  /** The maximum number of recalled records; not above `candidateLimit`. @default 8, with `@svc/orchestrator` */
  topK?: number | undefined;
  /** How many records are searched. @default 50, with `@svc/orchestrator`, which searches 500 at most */
  candidateLimit?: number | undefined;
  /** Whether skills are recalled. @default true */
  skillsEnabled?: boolean | undefined;
  /** Whether insights are recalled. @default true */
  insightsEnabled?: boolean | undefined;
  /** Whether resources are recalled. @default true */
  resourcesEnabled?: boolean | undefined;
  /** The maximum number of recalled skills. @default 5, with `@svc/orchestrator` */
  skillInjectionMaxCount?: number | undefined;
  /** The maximum number of recalled insights. @default 5, with `@svc/orchestrator` */
  insightInjectionMaxCount?: number | undefined;
  /** The maximum number of recalled resources. @default 5, with `@svc/orchestrator` */
  resourceInjectionMaxCount?: number | undefined;
  /** Insights with a lower relevance are left out; from 0 to 1. @default 0.1, with `@svc/orchestrator` */
  insightRelevanceFloor?: number | undefined;
}

/** Settings for the skills that a run may store. */
interface SkillExtractionConfig {
  /** @default false */
  enabled?: boolean | undefined;
  /** Whose runs may recall them. @default 'agent' */
  sharingScope?: SharingScope | undefined;
  /** The minimum confidence of a skill, from 0 to 1. @default 0.6, with `@svc/orchestrator` */
  confidenceThreshold?: number | undefined;
  /** The maximum number per run. @default 3, with `@svc/orchestrator` */
  maxCount?: number | undefined;
}

/** Settings for the insights that a run may store. */
interface InsightExtractionConfig {
  /** @default true */
  enabled?: boolean | undefined;
  /** Whose runs may recall them. @default the agent, or else the swarm */
  sharingScope?: 'agent' | 'swarm' | undefined;
  /** The maximum number per run. @default 3, with `@svc/orchestrator` */
  maxCount?: number | undefined;
  /** The minimum relevance of an insight, from 0 to 1. @default 0 */
  minRelevanceScore?: number | undefined;
}

/** Whether and how runs use memory. The fields of a call take precedence over those of the agent or swarm, one by one. */
export interface MemoryConfig {
  /** Whether the run uses memory. @default true if there is a config, a skill or a resource */
  enabled?: boolean | undefined;
  /** How much may be recalled; with `@svc/orchestrator` 0, 2,000, 6,000 or 12,000 characters. @default 'focus' */
  level?: 'none' | 'glimpse' | 'focus' | 'clarity' | undefined;
  /** Whether the turn is summarized. @default true */
  summarizationEnabled?: boolean | undefined;
  /**
   * What is stored: nothing, records, or records and what they are about. An organization's policy can only lower it.
   * @default 'vector_only'
   */
  persistenceMode?: 'persist_none' | 'vector_only' | 'vector_plus_graph' | undefined;
  /** Settings for what is recalled. */
  retrieval?: RetrievalConfig | undefined;
  /** Whether the run may store skills: sequences of tools that led to an answer. */
  skillExtraction?: SkillExtractionConfig | undefined;
  /** Whether the run may store insights: which tools failed, and how. */
  insightExtraction?: InsightExtractionConfig | undefined;
}

/** The schema of a scope's or a call's memory config. */
export const MemoryConfigSchema = z.strictObject({
  enabled: flag,
  level: z.enum(['none', 'glimpse', 'focus', 'clarity']).optional(),
  summarizationEnabled: flag,
  persistenceMode: PersistenceModeSchema.optional(),
  retrieval: z
    .strictObject({
      topK: count,
      candidateLimit: count,
      skillsEnabled: flag,
      insightsEnabled: flag,
      resourcesEnabled: flag,
      skillInjectionMaxCount: count,
      insightInjectionMaxCount: count,
      resourceInjectionMaxCount: count,
      insightRelevanceFloor: fraction,
    } satisfies ShapeOf<RetrievalConfig>)
    .refine(({ topK = 0, candidateLimit = Number.POSITIVE_INFINITY }) => topK <= candidateLimit, {
      path: ['topK'],
      message: 'topK must not be greater than candidateLimit',
    })
    .optional(),
  skillExtraction: z
    .strictObject({
      enabled: flag,
      sharingScope: SharingScopeSchema.optional(),
      confidenceThreshold: fraction,
      maxCount: count,
    } satisfies ShapeOf<SkillExtractionConfig>)
    .optional(),
  insightExtraction: z
    .strictObject({
      enabled: flag,
      sharingScope: z.enum(['agent', 'swarm']).optional(),
      maxCount: count,
      minRelevanceScore: fraction,
    } satisfies ShapeOf<InsightExtractionConfig>)
    .optional(),
} satisfies ShapeOf<MemoryConfig>);

/** Merges the call's fields over the scope's, at every depth, and validates the result as a whole. */
export function mergeMemoryConfig(
  scope: MemoryConfig | undefined,
  call: MemoryConfig | undefined,
): MemoryConfig | undefined {
  if (scope === undefined && call === undefined) return undefined;
  const merged = {
    ...scope,
    ...call,
    ...mergeSection('retrieval', scope, call),
    ...mergeSection('skillExtraction', scope, call),
    ...mergeSection('insightExtraction', scope, call),
  };
  return checkOptions(MemoryConfigSchema, merged, 'memoryConfig');
}

function mergeSection(
  name: 'retrieval' | 'skillExtraction' | 'insightExtraction',
  scope: MemoryConfig | undefined,
  call: MemoryConfig | undefined,
): Partial<MemoryConfig> {
  const sections = [scope?.[name], call?.[name]].filter((section) => section !== undefined);
  return sections.length === 0 ? {} : { [name]: Object.assign({}, ...sections) };
}
