import type { SessionRequestInput } from '@svc/contracts/orchestrator';
import type { MemoryConfig } from '../invocation/memory-config.js';
import type {
  MemoryAssetsConfig,
  OrchestrationConfig,
  SystemToolsConfig,
} from '../invocation/run-options.js';
import { compileResource } from '../memory/resource-input.js';
import { compileSkill } from '../memory/skill-input.js';
import { present } from '../present.js';

/** Compiles the system tools config for the wire. */
export function compileSystemTools(
  config: SystemToolsConfig = {},
): SessionRequestInput['system_tools_config'] {
  const { allowedTools, approvedComposeTargets } = config;
  return present({
    allowed_tools: allowedTools && [...allowedTools],
    approved_compose_artifact_targets:
      typeof approvedComposeTargets === 'object' ? [...approvedComposeTargets] : approvedComposeTargets,
    // Names of private values reveal nothing, and without them such tools could not read what the planner reads.
    allow_private_data_placeholders: true,
  });
}

/** Compiles the orchestration config for the wire. */
export function compileOrchestration(
  config: OrchestrationConfig,
): SessionRequestInput['orchestration_config'] {
  return present({
    mode: config.mode,
    final_output_mode: config.finalOutputMode,
    allow_followup_actions: config.allowFollowupActions,
    stop_strategy: config.stopStrategy,
    allow_reevaluate_loop: config.allowReevaluateLoop,
    max_cycles: config.maxCycles,
  });
}

/** Compiles the memory config for the wire. */
export function compileMemory(config: MemoryConfig): SessionRequestInput['memory_config'] {
  const { retrieval, skillExtraction, insightExtraction } = config;
  return present({
    enabled: config.enabled,
    level: config.level,
    summarization_enabled: config.summarizationEnabled,
    persistence_mode: config.persistenceMode,
    retrieval: retrieval && compileRetrieval(retrieval),
    skill_extraction:
      skillExtraction &&
      present({
        enabled: skillExtraction.enabled,
        sharing_scope: skillExtraction.sharingScope,
        confidence_threshold: skillExtraction.confidenceThreshold,
        max_count: skillExtraction.maxCount,
      }),
    insight_extraction:
      insightExtraction &&
      present({
        enabled: insightExtraction.enabled,
        sharing_scope: insightExtraction.sharingScope,
        max_count: insightExtraction.maxCount,
        min_relevance_score: insightExtraction.minRelevanceScore,
      }),
  });
}

function compileRetrieval(retrieval: NonNullable<MemoryConfig['retrieval']>) {
  return present({
    top_k: retrieval.topK,
    candidate_limit: retrieval.candidateLimit,
    skills_enabled: retrieval.skillsEnabled,
    insights_enabled: retrieval.insightsEnabled,
    resources_enabled: retrieval.resourcesEnabled,
    skill_injection_max_count: retrieval.skillInjectionMaxCount,
    insight_injection_max_count: retrieval.insightInjectionMaxCount,
    resource_injection_max_count: retrieval.resourceInjectionMaxCount,
    insight_relevance_floor: retrieval.insightRelevanceFloor,
  });
}

/** Compiles the memory assets for the wire. */
export function compileMemoryAssets(config: MemoryAssetsConfig): SessionRequestInput['memory_assets_config'] {
  const { definedSkills, boundResources, recallTurnActive } = config;
  return present({
    defined_skills: definedSkills?.map(compileSkill),
    bound_resources: boundResources?.map(compileResource),
    recall_turn_active: recallTurnActive,
  });
}
