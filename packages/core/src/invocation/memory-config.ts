import { PersistenceModeSchema, SharingScopeSchema } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { checkOptions } from '../config/options.js';

const count = z.number().int().min(1).optional();
const share = z.number().min(0).max(1).optional();

const RetrievalSchema = z
  .strictObject({
    /** How many records are recalled at most; not above `candidateLimit`. @default 8, with `@svc/orchestrator` */
    topK: count,
    /** How many records are looked at to find them. @default 50, with `@svc/orchestrator`, which looks at 500 at most */
    candidateLimit: count,
    /** Whether skills are recalled. @default true */
    skillsEnabled: z.boolean().optional(),
    /** Whether insights are recalled. @default true */
    insightsEnabled: z.boolean().optional(),
    /** Whether resources are recalled. @default true */
    resourcesEnabled: z.boolean().optional(),
    /** The most skills among what is recalled. @default 5, with `@svc/orchestrator` */
    skillInjectionMaxCount: count,
    /** The most insights among it. @default 5, with `@svc/orchestrator` */
    insightInjectionMaxCount: count,
    /** The most resources among it. @default 5, with `@svc/orchestrator` */
    resourceInjectionMaxCount: count,
    /** Insights that weigh less are left out; from 0 to 1. @default 0.1, with `@svc/orchestrator` */
    insightRelevanceFloor: share,
  })
  .refine(({ topK = 0, candidateLimit = Number.POSITIVE_INFINITY }) => topK <= candidateLimit, {
    path: ['topK'],
    message: 'topK must not be above candidateLimit',
  });

/** What a scope or a call says of memory. */
export const MemoryConfigSchema = z.strictObject({
  /** Whether memory has a part in the run. @default true where there is a config, a skill or a resource */
  enabled: z.boolean().optional(),
  /** How much may be recalled; with `@svc/orchestrator` 0, 2 000, 6 000 or 12 000 characters. @default 'focus' */
  level: z.enum(['none', 'glimpse', 'focus', 'clarity']).optional(),
  /** Whether the turn is summarized. @default true */
  summarizationEnabled: z.boolean().optional(),
  /** What is stored: nothing, records, or records and what they are about. An organization's policy can only lower it. @default 'vector_only' */
  persistenceMode: PersistenceModeSchema.optional(),
  /** What is recalled. */
  retrieval: RetrievalSchema.optional(),
  /** Whether the run may leave skills: orders of tools that led to an answer. */
  skillExtraction: z
    .strictObject({
      /** @default false */
      enabled: z.boolean().optional(),
      /** Whose runs may recall them. @default 'agent' */
      sharingScope: SharingScopeSchema.optional(),
      /** How sure a skill must be, from 0 to 1. @default 0.6, with `@svc/orchestrator` */
      confidenceThreshold: share,
      /** The most of one run. @default 3, with `@svc/orchestrator` */
      maxCount: count,
    })
    .optional(),
  /** Whether the run may leave insights: which tools failed, and how. */
  insightExtraction: z
    .strictObject({
      /** @default true */
      enabled: z.boolean().optional(),
      /** Whose runs may recall them. @default the agent, else the swarm */
      sharingScope: z.enum(['agent', 'swarm']).optional(),
      /** The most of one run. @default 3, with `@svc/orchestrator` */
      maxCount: count,
      /** How relevant an insight must be, from 0 to 1. @default 0 */
      minRelevanceScore: share,
    })
    .optional(),
});

/** Whether and how runs use memory. Of a scope's and a call's config, the call's fields win one by one. */
export type MemoryConfig = z.infer<typeof MemoryConfigSchema>;

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
