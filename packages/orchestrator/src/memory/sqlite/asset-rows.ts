import type { JsonObject } from '@svc/contracts';
import type { MemoryAsset, MemoryKind } from '../records/memory-asset.js';
import type { MemoryReach } from '../records/memory-viewer.js';
import { isSet, json, text, whole, type Row } from '../../store/sqlite/columns.js';

/** Converts a row of `memory_assets`; only this package writes the strings of its unions. */
export function assetOf(row: Row): MemoryAsset {
  return {
    number: whole(row, 'number'),
    kind: text(row, 'kind') as MemoryKind,
    projectId: text(row, 'project_id'),
    organization: text(row, 'organization'),
    id: text(row, 'id'),
    reach: text(row, 'reach') as MemoryReach,
    ownerId: text(row, 'owner_id'),
    lineage: text(row, 'lineage'),
    contentHash: text(row, 'content_hash'),
    isLive: whole(row, 'is_live') === 1,
    isRetained: whole(row, 'is_retained') === 1,
    ...(isSet(row, 'session_id') ? { sessionId: text(row, 'session_id') } : {}),
    value: json(row, 'value') as JsonObject,
    sizeBytes: whole(row, 'size_bytes'),
    createdAtMs: whole(row, 'created_at_ms'),
    updatedAtMs: whole(row, 'updated_at_ms'),
    ...(isSet(row, 'expires_at_ms') ? { expiresAtMs: whole(row, 'expires_at_ms') } : {}),
  };
}
