import { PersistenceModeSchema, SharingScopeSchema, type SharingScope } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { checkOptions, type ShapeOf } from '../config/options.js';

const count = z.number().int().min(1).optional();
const flag = z.boolean().optional();
const share = z.number().min(0).max(1).optional();

/** What is recalled for a run. */
interface RetrievalConfig {
  /** How many records are recalled at most; not above `candidateLimit`. @default 8, with `@svc/orchestrator` */
  topK?: number | undefined;
  /** How many records are looked at to find them. @default 50, with `@svc/orchestrator`, which looks at 500 at most */
  candidateLimit?: number | undefined;
  /** Whether skills are recalled. @default true */
  skillsEnabled?: boolean | undefined;
  /** Whether insights are recalled. @default true */
  insightsEnabled?: boolean | undefined;
  /** Whether resources are recalled. @default true */
  resourcesEnabled?: boolean | undefined;
  /** The most skills among what is recalled. @default 5, with `@svc/orchestrator` */
  skillInjectionMaxCount?: number | undefined;
  /** The most insights among it. @default 5, with `@svc/orchestrator` */
  insightInjectionMaxCount?: number | undefined;
  /** The most resources among it. @default 5, with `@svc/orchestrator` */
  resourceInjectionMaxCount?: number | undefined;
  /** Insights that weigh less are left out; from 0 to 1. @default 0.1, with `@svc/orchestrator` */
  insightRelevanceFloor?: number | undefined;
}

/** Which skills a run may leave. */
interface SkillExtractionConfig {
  /** @default false */
  enabled?: boolean | undefined;
  /** Whose runs may recall them. @default 'agent' */
  sharingScope?: SharingScope | undefined;
  /** How sure a skill must be, from 0 to 1. @default 0.6, with `@svc/orchestrator` */
  confidenceThreshold?: number | undefined;
  /** The most of one run. @default 3, with `@svc/orchestrator` */
  maxCount?: number | undefined;
}

/** Which insights a run may leave. */
interface InsightExtractionConfig {
  /** @default true */
  enabled?: boolean | undefined;
  /** Whose runs may recall them. @default the agent, else the swarm */
  sharingScope?: 'agent' | 'swarm' | undefined;
  /** The most of one run. @default 3, with `@svc/orchestrator` */
  maxCount?: number | undefined;
  /** How relevant an insight must be, from 0 to 1. @default 0 */
  minRelevanceScore?: number | undefined;
}

/** Whether and how runs use memory. Of a scope's and a call's config, the call's fields win one by one. */
export interface MemoryConfig {
  /** Whether memory has a part in the run. @default true where there is a config, a skill or a resource */
  enabled?: boolean | undefined;
  /** How much may be recalled; with `@svc/orchestrator` 0, 2 000, 6 000 or 12 000 characters. @default 'focus' */
  level?: 'none' | 'glimpse' | 'focus' | 'clarity' | undefined;
  /** Whether the turn is summarized. @default true */
  summarizationEnabled?: boolean | undefined;
  /** What is stored: nothing, records, or records and what they are about. An organization's policy can only lower it. @default 'vector_only' */
  persistenceMode?: 'persist_none' | 'vector_only' | 'vector_plus_graph' | undefined;
  /** What is recalled. */
  retrieval?: RetrievalConfig | undefined;
  /** Whether the run may leave skills: orders of tools that led to an answer. */
  skillExtraction?: SkillExtractionConfig | undefined;
  /** Whether the run may leave insights: which tools failed, and how. */
  insightExtraction?: InsightExtractionConfig | undefined;
}

/** What a scope or a call says of memory. */
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
      insightRelevanceFloor: share,
    } satisfies ShapeOf<RetrievalConfig>)
    .refine(({ topK = 0, candidateLimit = Number.POSITIVE_INFINITY }) => topK <= candidateLimit, {
      path: ['topK'],
      message: 'topK must not be above candidateLimit',
    })
    .optional(),
  skillExtraction: z
    .strictObject({
      enabled: flag,
      sharingScope: SharingScopeSchema.optional(),
      confidenceThreshold: share,
      maxCount: count,
    } satisfies ShapeOf<SkillExtractionConfig>)
    .optional(),
  insightExtraction: z
    .strictObject({
      enabled: flag,
      sharingScope: z.enum(['agent', 'swarm']).optional(),
      maxCount: count,
      minRelevanceScore: share,
    } satisfies ShapeOf<InsightExtractionConfig>)
    .optional(),
} satisfies ShapeOf<MemoryConfig>);

/** The call's fields over the scope's, at every depth; the outcome is checked as a whole. */
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
