import type { JsonObject } from '@svc/contracts';
import type { RecalledItem } from '../../planning/plan-context.js';
import type { Embedder } from '../vectors/embedder.js';
import type { Insights } from '../knowledge/insights.js';
import type { OnMemoryPhase } from './memory-phase.js';
import { persistenceWithin } from '../keeping/memory-policy.js';
import type { MemorySubject } from './memory-subject.js';
import { policyOf, type MemoryWriter } from '../keeping/memory-writer.js';
import { recall, type Recalled } from './recall.js';
import { registerAssets } from './register-assets.js';
import { insightFacts, remember, skillFacts, type RunOutcome } from './remember.js';
import type { Resources } from '../resources/resources.js';
import type { Skills } from '../knowledge/skills.js';

/** What `RunMemory` needs. */
export interface RunMemoryParts {
  readonly writer: MemoryWriter;
  readonly skills: Skills;
  readonly insights: Insights;
  readonly resources: Resources;
  readonly embedder: Embedder | undefined;
  readonly onError: (error: unknown) => void;
}

/** The memory of a run: recalled before it plans, stored when it ends. */
export class RunMemory {
  readonly #parts: RunMemoryParts;

  constructor(parts: RunMemoryParts) {
    this.#parts = parts;
  }

  /** Stores the assets of the run's request, then finds what fits its turn, best first. Safe to repeat. */
  async recall(
    subject: MemorySubject,
    { signal, onPhase }: { signal: AbortSignal; onPhase: OnMemoryPhase },
  ): Promise<readonly RecalledItem[]> {
    const { settings } = subject;
    const policy = policyOf(this.#parts.writer, subject.viewer.organization);
    if (!policy.isEnabled) return [];
    const persistence = persistenceWithin(settings.persistence, policy);
    const { skippedSkills, ...assets } = await registerAssets(subject, {
      parts: this.#parts,
      persistence,
      onPhase,
    });
    if (!settings.recalls) return [];
    await onPhase({
      phase: 'memory_retrieving',
      message: 'Searching memory',
      memory: { mode: 'retrieve' },
    });
    const { writer, embedder, onError } = this.#parts;
    const nowMs = writer.clock.nowMs();
    const recalled = await recall(subject, {
      database: writer.database,
      embedder,
      signal,
      nowMs,
      policy,
      persistence,
      ...assets,
      onError,
    });
    const latencyMs = writer.clock.nowMs() - nowMs;
    await this.#noteUse(recalled);
    const memory = {
      ...retrievedFacts(recalled, { level: settings.level, policyMode: persistence, latencyMs }),
      ...(skippedSkills > 0 ? { skipped_count: skippedSkills } : {}),
    };
    const { items } = recalled;
    await onPhase({
      phase: 'memory_retrieved',
      message: items.length === 1 ? 'Found 1 memory' : `Found ${items.length} memories`,
      memory,
    });
    return items;
  }

  /** Stores what the run can add to memory. Idempotent. */
  async remember(
    subject: MemorySubject,
    outcome: RunOutcome,
    { onPhase }: { onPhase: OnMemoryPhase },
  ): Promise<void> {
    const policy = policyOf(this.#parts.writer, subject.viewer.organization);
    const persistence = persistenceWithin(subject.settings.persistence, policy);
    await remember(subject, outcome, { parts: this.#parts, persistence, onPhase });
  }

  /** Counts the use of resources. */
  async #noteUse({ assets }: Recalled): Promise<void> {
    const { database, clock } = this.#parts.writer;
    const resources = assets.filter(({ kind }) => kind === 'resource');
    if (resources.length === 0) return;
    const last_queried_at = new Date(clock.nowMs()).toISOString();
    await database.write(() => {
      for (const { projectId, id } of resources) {
        const asset = database.assets.read(projectId, 'resource', id, clock.nowMs());
        if (!asset) continue;
        const query_count = Number(asset.value['query_count'] ?? 0) + 1;
        database.assets.touch(asset, { ...asset.value, query_count, last_queried_at });
      }
    });
  }
}

function retrievedFacts(
  { items, assets, counters }: Recalled,
  { level, policyMode, latencyMs }: { level: string; policyMode: string; latencyMs: number },
): JsonObject {
  const count = (kind: string) => items.filter((item) => item.kind === kind).length;
  // Items for this run only are in no record.
  const of = (kind: string) => assets.filter((asset) => asset.kind === kind);
  return {
    mode: 'retrieve',
    status: items.length > 0 ? 'found' : 'not_found',
    hit_count: items.length,
    memory_level: level,
    policy_mode: policyMode,
    latency_ms: latencyMs,
    ...counters,
    skill_count: count('skill'),
    insight_count: count('insight'),
    resource_count: count('resource'),
    resource_ids: of('resource').map(({ id }) => id),
    skills: of('skill').map(skillFacts),
    insights: of('insight').map(insightFacts),
  };
}
