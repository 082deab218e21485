import type { JsonObject } from '@svc/contracts';
import type { SQLOutputValue } from 'node:sqlite';
import type { MemoryAsset, MemoryKind } from '../records/memory-asset.js';
import type { MemoryReach } from '../records/memory-viewer.js';

/** Converts a row of `memory_assets`; only this package writes the strings of its unions. */
export function assetOf(row: Record<string, SQLOutputValue>): MemoryAsset {
  const text = (column: string) => String(row[column]);
  const whole = (column: string) => Number(row[column]);
  const isSet = (column: string) => row[column] !== null && row[column] !== undefined;
  return {
    number: whole('number'),
    kind: text('kind') as MemoryKind,
    projectId: text('project_id'),
    organization: text('organization'),
    id: text('id'),
    reach: text('reach') as MemoryReach,
    ownerId: text('owner_id'),
    lineage: text('lineage'),
    contentHash: text('content_hash'),
    isLive: whole('is_live') === 1,
    isRetained: whole('is_retained') === 1,
    ...(isSet('session_id') ? { sessionId: text('session_id') } : {}),
    value: JSON.parse(text('value')) as JsonObject,
    sizeBytes: whole('size_bytes'),
    createdAtMs: whole('created_at_ms'),
    updatedAtMs: whole('updated_at_ms'),
    ...(isSet('expires_at_ms') ? { expiresAtMs: whole('expires_at_ms') } : {}),
  };
}
