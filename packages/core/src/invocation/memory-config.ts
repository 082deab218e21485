import * as z from 'zod';
import { ConfigurationError } from '../config/errors.js';

const count = z.number().int().min(1).optional();
const share = z.number().min(0).max(1).optional();

const RetrievalSchema = z
  .strictObject({
    topK: count,
    candidateLimit: count,
    skillsEnabled: z.boolean().optional(),
    insightsEnabled: z.boolean().optional(),
    resourcesEnabled: z.boolean().optional(),
    skillInjectionMaxCount: count,
    insightInjectionMaxCount: count,
    resourceInjectionMaxCount: count,
    insightRelevanceFloor: share,
  })
  .refine(({ topK = 0, candidateLimit = Number.POSITIVE_INFINITY }) => topK <= candidateLimit, {
    path: ['topK'],
    message: 'topK must not be above candidateLimit',
  });

const MemoryConfigSchema = z.strictObject({
  enabled: z.boolean().optional(),
  level: z.enum(['none', 'glimpse', 'focus', 'clarity']).optional(),
  summarizationEnabled: z.boolean().optional(),
  persistenceMode: z.enum(['persist_none', 'vector_only', 'vector_plus_graph']).optional(),
  retrieval: RetrievalSchema.optional(),
  skillExtraction: z
    .strictObject({
      enabled: z.boolean().optional(),
      sharingScope: z.enum(['agent', 'swarm', 'project', 'org']).optional(),
      confidenceThreshold: share,
      maxCount: count,
    })
    .optional(),
  insightExtraction: z
    .strictObject({
      enabled: z.boolean().optional(),
      sharingScope: z.enum(['agent', 'swarm']).optional(),
      maxCount: count,
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
  const parsed = MemoryConfigSchema.safeParse(merged);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(`memoryConfig is not valid: ${z.prettifyError(parsed.error)}`, {
    code: 'CONFIG_INVALID_OPTION',
    details: { option: 'memoryConfig' },
  });
}

function mergeSection(
  name: 'retrieval' | 'skillExtraction' | 'insightExtraction',
  scope: MemoryConfig | undefined,
  call: MemoryConfig | undefined,
): Partial<MemoryConfig> {
  const sections = [scope?.[name], call?.[name]].filter((section) => section !== undefined);
  return sections.length === 0 ? {} : { [name]: Object.assign({}, ...sections) };
}
