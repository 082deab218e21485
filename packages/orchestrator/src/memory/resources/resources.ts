import { MemoryResourceSchema, type SharingScope } from '@svc/contracts/orchestrator';
import type { JsonObject } from '@svc/contracts';
import type * as z from 'zod';
import { RequestError } from '../../errors.js';
import { EXTRACTOR_VERSION, extractText } from './extract-text.js';
import type { MemoryAsset } from '../records/memory-asset.js';
import { refuseTooLong, refuseWhenFull } from '../keeping/memory-limits.js';
import type { MemoryOwner } from '../records/memory-viewer.js';
import { freeId, type MemoryCaller, type MemoryWriter } from '../keeping/memory-writer.js';
import { hashOf, type ResourceContent } from './resource-content.js';

export const BindingTypeSchema = MemoryResourceSchema.shape.binding_type.unwrap();
/** Where a resource is used. */
export type BindingType = z.infer<typeof BindingTypeSchema>;

/** A resource to register for an owner. */
export interface ResourceDraft {
  readonly owner: MemoryOwner;
  /** The caller's id of the resource, the same for all versions. */
  readonly resourceId?: string | undefined;
  readonly name: string;
  readonly content: ResourceContent | undefined;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly bindingType: BindingType;
  /** The agent or swarm it is bound to. */
  readonly targetId?: string | undefined;
  readonly sourceType: string;
  readonly sourceUrl?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly sessionId?: string | undefined;
  /** Whether the policy's retention applies. */
  readonly isRetained: boolean;
}

/** The result of a registration. */
export interface Registration {
  readonly outcome: 'registered' | 'reused' | 'superseded';
  readonly asset: MemoryAsset;
  /** The version it replaces. */
  readonly superseded?: MemoryAsset;
}

/**
 * Registers resources by the hash of their content: identical bytes of an owner are reused, new bytes for a known id
 * become its next version. A registration never reveals what another owner has.
 */
export class Resources {
  readonly #writer: MemoryWriter;

  constructor(writer: MemoryWriter) {
    this.#writer = writer;
  }

  /** Must run in a transaction. @throws RequestError `MEMORY_FULL`, `RECORD_TOO_LARGE` before anything is written */
  register(caller: MemoryCaller, draft: ResourceDraft): Registration {
    const { database } = this.#writer;
    const { projectId } = caller;
    const { owner, resourceId } = draft;
    const hash = contentHash(draft);
    const current = resourceId === undefined ? undefined : this.current(projectId, resourceId, owner);
    if (current?.contentHash === hash) return { outcome: 'reused', asset: current };
    if (resourceId === undefined) {
      const [same] = database.assets
        .withHash(projectId, 'resource', { hash, ...owner })
        .filter(({ isLive }) => isLive);
      if (same) return { outcome: 'reused', asset: same };
    }
    const asset = this.#insert(caller, draft, { hash, replaces: current });
    if (!current) return { outcome: 'registered', asset };
    return { outcome: 'superseded', asset, superseded: this.#supersede(current, asset.id) };
  }

  /** The result of the registration that stored a resource. */
  registrationOf(asset: MemoryAsset): Registration {
    const replaced = asset.value['replaces_resource_id'];
    const superseded = this.versions(asset.projectId, asset.lineage, asset).find(({ id }) => id === replaced);
    return superseded ? { outcome: 'superseded', asset, superseded } : { outcome: 'registered', asset };
  }

  /** The version of a resource that is in force. */
  current(projectId: string, lineage: string, owner: MemoryOwner): MemoryAsset | undefined {
    return this.versions(projectId, lineage, owner).find(({ isLive }) => isLive);
  }

  /** All versions, newest first. */
  versions(projectId: string, lineage: string, { reach, ownerId }: MemoryOwner): MemoryAsset[] {
    return this.#writer.database.assets.lineage(projectId, 'resource', { lineage, reach, ownerId });
  }

  /** Puts a version back in force, replacing the current one. In a transaction. */
  restore(asset: MemoryAsset): MemoryAsset {
    const current = this.current(asset.projectId, asset.lineage, asset);
    if (current && current.number !== asset.number) this.#supersede(current, asset.id);
    // A deletion hid earlier versions too.
    for (const version of this.versions(asset.projectId, asset.lineage, asset))
      if (version.expiresAtMs !== undefined && version.value['registration_status'] === 'superseded')
        this.change({ ...version, expiresAtMs: undefined }, version.value);
    const { superseded_by: _by, ...value } = asset.value;
    this.#writer.onWritten();
    return this.change(asset, { ...value, registration_status: 'registered' }, { isLive: true });
  }

  /**
   * Gives the other versions of a resource the owner that this one gets. In a transaction.
   * @throws RequestError `MEMORY_CONFLICT` when two versions would be in force then
   */
  moveOthers(asset: MemoryAsset, owner: MemoryOwner): void {
    if (owner.reach === asset.reach && owner.ownerId === asset.ownerId) return;
    const { projectId, lineage } = asset;
    const taken = this.current(projectId, lineage, owner);
    if (taken && this.current(projectId, lineage, asset)) throw ownedAlready(taken);
    for (const version of this.versions(asset.projectId, asset.lineage, asset))
      if (version.number !== asset.number) this.change(version, version.value, { owner });
  }

  /** Must run in a transaction. */
  change(
    asset: MemoryAsset,
    value: JsonObject,
    {
      isLive = asset.isLive,
      owner = asset,
      expiresAtMs,
    }: { isLive?: boolean; owner?: MemoryOwner; expiresAtMs?: number } = {},
  ): MemoryAsset {
    const { database, clock } = this.#writer;
    const head = headOf(value);
    if (head !== headOf(asset.value)) {
      database.assets.passages.rename(asset.number, head);
      this.#writer.onWritten();
    }
    return database.assets.update(asset, {
      reach: owner.reach,
      ownerId: owner.ownerId,
      value,
      contentHash: asset.contentHash,
      isLive,
      nowMs: clock.nowMs(),
      // A version in force does not expire.
      expiresAtMs: isLive ? undefined : (expiresAtMs ?? asset.expiresAtMs),
    });
  }

  #supersede(asset: MemoryAsset, by: string): MemoryAsset {
    const value = { ...asset.value, registration_status: 'superseded', superseded_by: by };
    return this.change(asset, value, { isLive: false });
  }

  #insert(
    { projectId, organization }: MemoryCaller,
    draft: ResourceDraft,
    { hash, replaces }: { hash: string; replaces: MemoryAsset | undefined },
  ): MemoryAsset {
    const { database, clock } = this.#writer;
    const { content, owner, resourceId } = draft;
    const extracted = content
      ? extractText(content.bytes, content.mimeType)
      : { passages: [], stats: { status: 'no_content' } };
    const value = resourceValue(draft, {
      stats: extracted.stats,
      chunkCount: extracted.passages.length,
      replaces,
    });
    const isNewBlob = content && !database.blobs.has(projectId, hash);
    const addedBytes = isNewBlob ? content.bytes.byteLength : 0;
    refuseTooLong(value);
    refuseWhenFull(this.#writer, { projectId, addedBytes });
    const id = freeId(this.#writer, { projectId, kind: 'resource', wanted: resourceId });
    if (isNewBlob) database.blobs.put(projectId, hash, content.bytes);
    this.#writer.onWritten();
    return database.assets.insert({
      kind: 'resource',
      projectId,
      organization,
      id,
      reach: owner.reach,
      ownerId: owner.ownerId,
      lineage: replaces?.lineage ?? resourceId ?? id,
      contentHash: hash,
      isLive: true,
      isRetained: draft.isRetained,
      sessionId: draft.sessionId,
      value,
      sizeBytes: content?.bytes.byteLength ?? 0,
      passages: [headOf(value), ...extracted.passages],
      nowMs: clock.nowMs(),
    });
  }
}

function ownedAlready({ id }: MemoryAsset): RequestError {
  return new RequestError(
    `The new owner already has this resource, as "${id}"; delete one of the two first.`,
    { code: 'MEMORY_CONFLICT', details: { kind: 'resource', id } },
  );
}

/** A resource without bytes is identified by its name and source. */
function contentHash({ content, name, sourceUrl }: ResourceDraft): string {
  return content?.hash ?? hashOf(JSON.stringify([name, sourceUrl ?? null]));
}

/** The first passage: name, description and tags. */
function headOf({ name, description, tags }: JsonObject): string {
  const words = Array.isArray(tags) ? tags.map(String).join(' ') : '';
  return [name, description, words].flatMap((line) => (line ? [String(line)] : [])).join('\n');
}

function resourceValue(
  draft: ResourceDraft,
  {
    stats,
    chunkCount,
    replaces,
  }: { stats: JsonObject; chunkCount: number; replaces: MemoryAsset | undefined },
): JsonObject {
  const { name, description, tags, content, bindingType, targetId, sourceType, sourceUrl, metadata } = draft;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    tags: [...tags],
    format: content?.mimeType ?? '',
    binding_type: bindingType,
    ...(bindingType === 'agent' && targetId ? { agent_id: targetId } : {}),
    ...(bindingType === 'swarm' && targetId ? { swarm_id: targetId } : {}),
    ...(bindingType === 'unbound' && replaces ? bindingBefore(replaces) : {}),
    registration_status: 'registered',
    extracted_page_count: 0,
    chunk_count: chunkCount,
    source_type: sourceType,
    ...(sourceUrl === undefined ? {} : { source_url: sourceUrl }),
    query_count: 0,
    metadata: metadata ?? {},
    extractor_version: EXTRACTOR_VERSION,
    extraction_stats: stats,
    ...(replaces ? { replaces_resource_id: replaces.id } : {}),
  };
}

/** The previous binding of an unbound resource, and when it ended, for its next version. */
function bindingBefore({ value: { bound_before, unbound_at_ms } }: MemoryAsset): JsonObject {
  return {
    ...(bound_before === undefined ? {} : { bound_before }),
    ...(unbound_at_ms === undefined ? {} : { unbound_at_ms }),
  };
}

/** The default scope of a resource: as narrow as its binding. */
export function defaultScope(bindingType: BindingType): SharingScope {
  return bindingType === 'agent' || bindingType === 'swarm' ? bindingType : 'project';
}
