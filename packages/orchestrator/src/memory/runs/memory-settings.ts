import type { MemoryConfigRecord, SessionRequest, SharingScope } from '@svc/contracts/orchestrator';
import type { MemoryKind } from '../records/memory-asset.js';
import type { PersistenceMode } from '../keeping/memory-policy.js';

/** The levels of recall, with the characters that memory may take up in a run. */
export const LEVEL_CHARACTERS = { none: 0, glimpse: 2_000, focus: 6_000, clarity: 12_000 } as const;
/** One of the levels. */
export type MemoryLevel = keyof typeof LEVEL_CHARACTERS;

/** How many records of each kind a run gets. */
type RecallCounts = Readonly<Record<MemoryKind, number>>;

/** A run's memory config with every default filled in. */
export interface MemorySettings {
  readonly level: MemoryLevel;
  readonly persistence: PersistenceMode;
  readonly summarizes: boolean;
  /** Whether memory is recalled at all. */
  readonly recalls: boolean;
  readonly topK: number;
  readonly candidateLimit: number;
  /** The maximum number of each kind; 0 leaves the kind out. */
  readonly counts: RecallCounts;
  readonly insightFloor: number;
  readonly skills?: {
    readonly reach: SharingScope;
    readonly minConfidence: number;
    readonly maxCount: number;
  };
  readonly insights?: {
    readonly reach: 'agent' | 'swarm' | undefined;
    readonly minRelevance: number;
    readonly maxCount: number;
  };
}

const defaults = { topK: 8, candidateLimit: 50, count: 5, insightFloor: 0.1, confidence: 0.6, extracted: 3 };

/**
 * The memory settings of a request; undefined when the run does not use memory. A run uses memory when its
 * request has a `memory_config` or assets, unless it says `enabled: false`.
 */
export function memorySettings(request: SessionRequest): MemorySettings | undefined {
  const config = request.memory_config ?? undefined;
  const assets = request.memory_assets_config ?? undefined;
  const hasAssets = Boolean(assets?.defined_skills?.length || assets?.bound_resources?.length);
  if (!(config?.enabled ?? (config !== undefined || hasAssets))) return undefined;
  const level = config?.level ?? 'focus';
  return {
    level,
    persistence: config?.persistence_mode ?? 'vector_only',
    // A member's session is part of the swarm's turn, which is summarized as a whole.
    summarizes: (config?.summarization_enabled ?? true) && !request.swarm_config?.agent_invocation,
    recalls: level !== 'none' && assets?.recall_turn_active !== false,
    ...retrievalOf(config?.retrieval),
    ...skillsOf(config?.skill_extraction),
    ...insightsOf(config?.insight_extraction),
  };
}

function retrievalOf(
  retrieval: MemoryConfigRecord['retrieval'],
): Pick<MemorySettings, 'topK' | 'candidateLimit' | 'counts' | 'insightFloor'> {
  const topK = retrieval?.top_k ?? defaults.topK;
  const count = (isOn: boolean | null | undefined, most: number | null | undefined) =>
    isOn === false ? 0 : (most ?? defaults.count);
  return {
    topK,
    candidateLimit: Math.min(500, Math.max(topK, retrieval?.candidate_limit ?? defaults.candidateLimit)),
    counts: {
      summary: defaults.count,
      skill: count(retrieval?.skills_enabled, retrieval?.skill_injection_max_count),
      insight: count(retrieval?.insights_enabled, retrieval?.insight_injection_max_count),
      resource: count(retrieval?.resources_enabled, retrieval?.resource_injection_max_count),
    },
    insightFloor: retrieval?.insight_relevance_floor ?? defaults.insightFloor,
  };
}

/** Only on request: an observed procedure is not a skill unless somebody wants it to be one. */
function skillsOf(extraction: MemoryConfigRecord['skill_extraction']): Pick<MemorySettings, 'skills'> {
  if (extraction?.enabled !== true) return {};
  return {
    skills: {
      reach: extraction.sharing_scope ?? 'agent',
      minConfidence: extraction.confidence_threshold ?? defaults.confidence,
      maxCount: extraction.max_count ?? defaults.extracted,
    },
  };
}

function insightsOf(extraction: MemoryConfigRecord['insight_extraction']): Pick<MemorySettings, 'insights'> {
  if (extraction?.enabled === false) return {};
  return {
    insights: {
      reach: extraction?.sharing_scope ?? undefined,
      minRelevance: extraction?.min_relevance_score ?? 0,
      maxCount: extraction?.max_count ?? defaults.extracted,
    },
  };
}
