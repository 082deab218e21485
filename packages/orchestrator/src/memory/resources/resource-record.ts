import {
  MemoryResourceCandidateSchema,
  MemoryResourceDetailSchema,
  type MemoryResourceCandidate,
  type MemoryResourceDetail,
} from '@svc/contracts/orchestrator';
import type { JsonValue } from '@svc/contracts';
import { DAY_MS } from '../../clock.js';
import type { MemoryAsset } from '../records/memory-asset.js';
import { recordBase } from '../keeping/memory-writer.js';

/** After this time, an unbound resource that nobody requests is offered for removal. */
const unusedAfterMs = 30 * DAY_MS;

/** When a resource last lost its binding, or was stored without one. */
export function unboundSinceMs({ value, createdAtMs }: MemoryAsset): number {
  return typeof value['unbound_at_ms'] === 'number' ? value['unbound_at_ms'] : createdAtMs;
}

function cleanupReason(asset: MemoryAsset, nowMs: number): string | undefined {
  const { binding_type, registration_status, last_queried_at } = asset.value;
  if (binding_type !== 'unbound' || registration_status !== 'registered') return undefined;
  const lastQueriedMs = typeof last_queried_at === 'string' ? Date.parse(last_queried_at) : 0;
  const idleMs = nowMs - Math.max(unboundSinceMs(asset), lastQueriedMs);
  return idleMs < unusedAfterMs ? undefined : `unbound and unused for ${Math.floor(idleMs / DAY_MS)} days`;
}

/** A resource in its wire form. */
export function resourceRecord(
  asset: MemoryAsset,
  { versions, nowMs }: { versions: readonly MemoryAsset[]; nowMs: number },
): MemoryResourceDetail {
  const { agent_id, swarm_id, ...base } = recordBase(asset);
  const {
    agent_id: boundAgent,
    swarm_id: boundSwarm,
    bound_before: _before,
    unbound_at_ms: _since,
    ...value
  } = asset.value;
  const reason = cleanupReason(asset, nowMs);
  const chain = versions.map(
    ({ id, contentHash, value: { registration_status }, createdAtMs }): JsonValue => ({
      id,
      content_hash: contentHash,
      registration_status: registration_status ?? 'registered',
      created_at: new Date(createdAtMs).toISOString(),
    }),
  );
  return MemoryResourceDetailSchema.parse({
    ...value,
    ...base,
    bound_agent_id: boundAgent ?? agent_id,
    bound_swarm_id: boundSwarm ?? swarm_id,
    resource_thread_id: asset.lineage,
    content_hash: asset.contentHash,
    size_bytes: asset.sizeBytes,
    storage_bucket: 'memory_blobs',
    storage_path: `${asset.projectId}/${asset.contentHash}`,
    version_chain: chain.toReversed(),
    cleanup_candidate: reason !== undefined,
    ...(reason === undefined ? {} : { cleanup_candidate_reason: reason }),
  });
}

/** An unbound resource as it is offered for removal. */
export function candidateRecord(asset: MemoryAsset, nowMs: number): MemoryResourceCandidate {
  const { name, binding_type, registration_status, query_count, last_queried_at } = asset.value;
  const { sharing_scope: _scope, ...base } = recordBase(asset);
  const reason = cleanupReason(asset, nowMs);
  return MemoryResourceCandidateSchema.parse({
    ...base,
    name,
    binding_type,
    registration_status,
    query_count: query_count ?? 0,
    ...(last_queried_at == null ? {} : { last_queried_at }),
    unbound_at: new Date(unboundSinceMs(asset)).toISOString(),
    ...(reason === undefined ? {} : { cleanup_candidate_reason: reason }),
  });
}
