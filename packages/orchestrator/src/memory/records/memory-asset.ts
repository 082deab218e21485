import type { JsonObject } from '@svc/contracts';
import type { MemoryOwner } from './memory-viewer.js';

/** What memory holds: the summary of a thread's turn, a skill, an insight, or a version of a resource. */
export type MemoryKind = 'summary' | 'skill' | 'insight' | 'resource';

/** One record of memory. */
export interface MemoryAsset extends MemoryOwner {
  readonly number: number;
  readonly kind: MemoryKind;
  readonly projectId: string;
  readonly organization: string;
  /** Unique within the project and kind. */
  readonly id: string;
  /** What stays the same between versions: a resource's thread, a skill's id or name, what an insight is about. */
  readonly lineage: string;
  readonly contentHash: string;
  /** Only live records are recalled. */
  readonly isLive: boolean;
  /** Whether the policy's retention applies: what runs remembered by themselves, not what people put there. */
  readonly isRetained: boolean;
  /** The run that stored it. */
  readonly sessionId?: string | undefined;
  /** The record as it goes over the wire, without ids and times. */
  readonly value: JsonObject;
  /** Bytes of the blob it refers to. */
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs?: number | undefined;
}

/** A skill or an insight to be stored for an owner. */
export interface MemoryDraft {
  readonly owner: MemoryOwner;
  readonly id?: string | undefined;
  /** What makes it the same one when it comes again. */
  readonly lineage: string;
  readonly value: JsonObject;
  readonly sessionId?: string | undefined;
}

/** A record to be written. */
export interface NewMemoryAsset extends Omit<MemoryAsset, 'number' | 'createdAtMs' | 'updatedAtMs'> {
  /** The texts it is found by. */
  readonly passages: readonly string[];
  readonly nowMs: number;
}

/** What of a record changes. */
export interface MemoryAssetChange extends MemoryOwner {
  readonly value: JsonObject;
  readonly contentHash: string;
  readonly isLive: boolean;
  readonly expiresAtMs?: number | undefined;
  /** Texts to be found by from now on; absent leaves them. */
  readonly passages?: readonly string[];
  readonly nowMs: number;
}
