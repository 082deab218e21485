import type { MemoryResourceCandidate, MemoryResourceDetail } from '@svc/contracts/orchestrator';
import type { JsonObject } from '@svc/contracts';
import * as z from 'zod';
import { DAY_MS } from '../../clock.js';
import { RequestError } from '../../errors.js';
import type { MemoryAsset } from '../records/memory-asset.js';
import { refuseTooLong } from '../keeping/memory-limits.js';
import {
  findAsset,
  namedOwner,
  ownerAfter,
  refuseUnlessKept,
  type MemoryCaller,
  type MemoryWriter,
  type Page,
} from '../keeping/memory-writer.js';
import { bindingOf, contentOf, nameOf, type ResourceBody } from './resource-body.js';
import { replacementOf } from './replacement.js';
import { candidateRecord, resourceRecord, unboundSinceMs } from './resource-record.js';
import { BindingTypeSchema, defaultScope, type BindingType, type Resources } from './resources.js';

/** How long a deleted resource can be restored. */
const restorableForMs = 30 * DAY_MS;

/** Which resources a list contains. */
export interface ResourceQuery extends Page {
  readonly search?: string | undefined;
  readonly binding_type?: string | undefined;
  readonly status?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** Resources as their administrators see them. */
export class ResourceDesk {
  readonly #writer: MemoryWriter;
  readonly #resources: Resources;

  constructor(writer: MemoryWriter, resources: Resources) {
    this.#writer = writer;
    this.#resources = resources;
  }

  list(
    { projectId }: MemoryCaller,
    { binding_type, status, ...query }: ResourceQuery,
  ): MemoryResourceDetail[] {
    const { database, clock } = this.#writer;
    const fields = { binding_type, registration_status: status };
    return database.assets
      .list({ ...query, projectId, kind: 'resource', fields, nowMs: clock.nowMs() })
      .map((asset) => this.#record(asset));
  }

  get(caller: MemoryCaller, resourceId: string): MemoryResourceDetail {
    return this.#record(this.#find(caller, resourceId));
  }

  async create(caller: MemoryCaller, body: ResourceBody): Promise<MemoryResourceDetail> {
    refuseUnlessKept(this.#writer, caller);
    const name = nameOf(body);
    const bindingType = bindingOf(body) ?? 'portal';
    const [agentId, swarmId] = [body.bound_agent_id ?? body.agent_id, body.bound_swarm_id ?? body.swarm_id];
    const owner = namedOwner(body.sharing_scope ?? defaultScope(bindingType), caller, { agentId, swarmId });
    const targetId = (bindingType === 'swarm' ? swarmId : agentId) ?? undefined;
    refuseWithoutTarget(bindingType, targetId);
    const content = contentOf(name, body);
    if (!content && !body.source_url) {
      throw new RequestError('A resource needs content_base64, text_content or source_url.', {
        code: 'INVALID_REQUEST',
      });
    }
    const { asset } = await this.#writer.database.write(() =>
      this.#resources.register(caller, {
        owner,
        resourceId: body.resource_id ?? body.id ?? undefined,
        name,
        content,
        description: body.description ?? undefined,
        tags: body.tags ?? [],
        bindingType,
        targetId,
        sourceType: body.source_type ?? 'portal',
        sourceUrl: body.source_url ?? undefined,
        metadata: body.metadata ?? undefined,
        isRetained: false,
      }),
    );
    return this.#record(asset);
  }

  async update(caller: MemoryCaller, resourceId: string, body: ResourceBody): Promise<MemoryResourceDetail> {
    refuseUnlessKept(this.#writer, caller);
    if (body.content_base64 != null || body.text_content != null) {
      throw new RequestError('A change cannot replace the content; post new content to /replace.', {
        code: 'INVALID_REQUEST',
      });
    }
    const bindingType = bindingOf(body);
    return this.#change(caller, resourceId, (asset) => {
      const owner = ownerAfter(caller, asset, body);
      const named = {
        ...asset.value,
        name: body.name ?? body.title ?? asset.value['name'] ?? '',
        ...(body.description == null ? {} : { description: body.description }),
        ...(body.tags == null ? {} : { tags: body.tags }),
        ...(body.source_url == null ? {} : { source_url: body.source_url }),
        ...(body.metadata == null ? {} : { metadata: body.metadata }),
      };
      refuseTooLong(named);
      const target = bindingType === 'swarm' ? body.bound_swarm_id : body.bound_agent_id;
      const value = bindingType ? this.#withBinding(named, bindingType, target ?? undefined) : named;
      this.#resources.moveOthers(asset, owner);
      return this.#resources.change(asset, value, { owner });
    });
  }

  /** Stores new bytes under the same identity, whichever version is named; identical bytes change nothing. */
  async replace(caller: MemoryCaller, resourceId: string, body: ResourceBody): Promise<MemoryResourceDetail> {
    refuseUnlessKept(this.#writer, caller);
    const { asset } = await this.#writer.database.write(() => {
      const named = this.#find(caller, resourceId);
      const known = this.#resources.current(named.projectId, named.lineage, named) ?? named;
      return this.#resources.register(caller, replacementOf(known, body));
    });
    return this.#record(asset);
  }

  /** Hides a resource and the versions it replaced; their bytes are removed thirty days later. */
  async delete(caller: MemoryCaller, resourceId: string): Promise<void> {
    const expiresAtMs = this.#writer.clock.nowMs() + restorableForMs;
    await this.#change(caller, resourceId, (asset) => {
      for (const version of this.#resources.versions(asset.projectId, asset.lineage, asset)) {
        // The one in force replaced all others: a restored one is older than some of them.
        const isReplaced = asset.isLive ? !version.isLive : version.number < asset.number;
        if (isReplaced) this.#resources.change(version, version.value, { expiresAtMs });
      }
      const value = { ...asset.value, registration_status: 'deleted' };
      return this.#resources.change(asset, value, { isLive: false, expiresAtMs });
    });
  }

  /** Undoes a deletion, or puts an older version back in force. */
  restore(caller: MemoryCaller, resourceId: string): Promise<MemoryResourceDetail> {
    refuseUnlessKept(this.#writer, caller);
    return this.#change(caller, resourceId, (asset) => this.#resources.restore(asset));
  }

  bind(
    caller: MemoryCaller,
    resourceId: string,
    { binding_type, target_id }: { binding_type: BindingType; target_id?: string | null | undefined },
  ): Promise<MemoryResourceDetail> {
    return this.#change(caller, resourceId, (asset) =>
      this.#resources.change(asset, this.#withBinding(asset.value, binding_type, target_id ?? undefined)),
    );
  }

  /** Restores the binding that a resource had before it was unbound. @throws RequestError `MEMORY_CONFLICT` */
  rebind(caller: MemoryCaller, resourceId: string): Promise<MemoryResourceDetail> {
    return this.#change(caller, resourceId, (asset) => {
      const earlier = z
        .object({ binding_type: BindingTypeSchema, target_id: z.string().optional() })
        .safeParse(asset.value['bound_before']);
      if (!earlier.success) {
        throw new RequestError('The resource has no previous binding; bind it instead.', {
          code: 'MEMORY_CONFLICT',
        });
      }
      const { binding_type, target_id } = earlier.data;
      return this.#resources.change(asset, this.#withBinding(asset.value, binding_type, target_id));
    });
  }

  /** Unbound resources, longest unbound first. */
  candidates(
    { projectId }: MemoryCaller,
    { minAgeDays, limit, offset }: Page & { minAgeDays: number },
  ): MemoryResourceCandidate[] {
    const { database, clock } = this.#writer;
    const nowMs = clock.nowMs();
    const fields = { binding_type: 'unbound', registration_status: 'registered' };
    const assets = database.assets.list({
      projectId,
      kind: 'resource',
      fields,
      nowMs,
      limit: 10_000,
      offset: 0,
    });
    return assets
      .filter((asset) => unboundSinceMs(asset) <= nowMs - minAgeDays * DAY_MS)
      .toSorted((a, b) => unboundSinceMs(a) - unboundSinceMs(b))
      .slice(offset, offset + limit)
      .map((asset) => candidateRecord(asset, nowMs));
  }

  #find({ projectId }: MemoryCaller, resourceId: string): MemoryAsset {
    return findAsset(this.#writer, { projectId, kind: 'resource', id: resourceId });
  }

  async #change(
    caller: MemoryCaller,
    resourceId: string,
    change: (asset: MemoryAsset) => MemoryAsset,
  ): Promise<MemoryResourceDetail> {
    return this.#record(await this.#writer.database.write(() => change(this.#find(caller, resourceId))));
  }

  #withBinding(value: JsonObject, bindingType: BindingType, targetId: string | undefined): JsonObject {
    const { agent_id, swarm_id, bound_before, unbound_at_ms: _at, ...rest } = value;
    refuseWithoutTarget(bindingType, targetId);
    if (bindingType === 'unbound') {
      const target = agent_id ?? swarm_id;
      const before = {
        binding_type: value['binding_type'] ?? 'portal',
        ...(target == null ? {} : { target_id: target }),
      };
      const kept = value['binding_type'] === 'unbound' ? bound_before : before;
      return {
        ...rest,
        binding_type: 'unbound',
        bound_before: kept ?? before,
        unbound_at_ms: this.#writer.clock.nowMs(),
      };
    }
    return {
      ...rest,
      binding_type: bindingType,
      ...(bindingType === 'agent' && targetId ? { agent_id: targetId } : {}),
      ...(bindingType === 'swarm' && targetId ? { swarm_id: targetId } : {}),
    };
  }

  #record(asset: MemoryAsset): MemoryResourceDetail {
    const versions = this.#resources.versions(asset.projectId, asset.lineage, asset);
    return resourceRecord(asset, { versions, nowMs: this.#writer.clock.nowMs() });
  }
}

function refuseWithoutTarget(bindingType: BindingType, targetId: string | undefined): void {
  if ((bindingType !== 'agent' && bindingType !== 'swarm') || targetId) return;
  throw new RequestError(
    `A resource of binding_type "${bindingType}" needs target_id or bound_${bindingType}_id.`,
    { code: 'INVALID_REQUEST' },
  );
}
