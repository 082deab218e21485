import type { JsonObject } from '@svc/contracts';
import type { MemoryOwner } from './memory-viewer.js';

/** The kind of a memory record: the summary of a thread's turn, a skill, an insight, or a version of a resource. */
export type MemoryKind = 'summary' | 'skill' | 'insight' | 'resource';

/** One record of memory. */
export interface MemoryAsset extends MemoryOwner {
  readonly number: number;
  readonly kind: MemoryKind;
  readonly projectId: string;
  readonly organization: string;
  /** Unique within the project and kind. */
  readonly id: string;
  /** Identifies the record across versions: a resource's thread, a skill's id or name, an insight's topic. */
  readonly lineage: string;
  readonly contentHash: string;
  /** Only live records are recalled. */
  readonly isLive: boolean;
  /** Whether the policy's retention applies: to what runs stored by themselves, not to what people put there. */
  readonly isRetained: boolean;
  /** The run that stored the record. */
  readonly sessionId?: string | undefined;
  /** The record in its wire form, without ids and times. */
  readonly value: JsonObject;
  /** Bytes of the record's blob. */
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs?: number | undefined;
}

/** A skill or an insight to store for an owner. */
export interface MemoryDraft {
  readonly owner: MemoryOwner;
  readonly id?: string | undefined;
  /** Identifies the skill or insight when it is stored again. */
  readonly lineage: string;
  readonly value: JsonObject;
  readonly sessionId?: string | undefined;
}

/** A record to write. */
export interface NewMemoryAsset extends Omit<MemoryAsset, 'number' | 'createdAtMs' | 'updatedAtMs'> {
  /** The texts that searches find it by. */
  readonly passages: readonly string[];
  readonly nowMs: number;
}

/** The changes to a record. */
export interface MemoryAssetChange extends MemoryOwner {
  readonly value: JsonObject;
  readonly contentHash: string;
  readonly isLive: boolean;
  /** Another lineage; absent keeps it. */
  readonly lineage?: string;
  readonly expiresAtMs?: number | undefined;
  /** New texts that searches find it by; absent leaves them unchanged. */
  readonly passages?: readonly string[];
  readonly nowMs: number;
}
