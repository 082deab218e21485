import { MemoryPolicySchema, SharingScopeSchema, type SharingScope } from '@svc/contracts/orchestrator';
import type { Clock } from '../../clock.js';
import { RequestError } from '../../errors.js';
import type { RandomText } from '../../random-text.js';
import type { MemoryAsset, MemoryKind } from '../records/memory-asset.js';
import type { MemoryLimits } from './memory-limits.js';
import { effectivePolicy, type EffectivePolicy } from './memory-policy.js';
import { organizationId, ownerOf, type MemoryOwner, type MemoryViewer } from '../records/memory-viewer.js';
import type { MemoryDatabase } from '../sqlite/memory-database.js';

/** What everything that writes memory needs. */
export interface MemoryWriter {
  readonly database: MemoryDatabase;
  readonly clock: Clock;
  readonly randomText: RandomText;
  readonly limits: MemoryLimits;
  /** Called when there are new texts. */
  readonly onWritten: () => void;
}

/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** A caller over HTTP. Its key covers a whole project, so it names agents and swarms itself. */
export type MemoryCaller = Pick<MemoryViewer, 'projectId' | 'organization'>;

/** The policy of an organization's memory. */
export function policyOf({ database }: MemoryWriter, organization: string): EffectivePolicy {
  return effectivePolicy(MemoryPolicySchema.parse(database.policies.read(organization)?.value ?? {}));
}

/** Throws when the organization's policy keeps nothing. @throws RequestError `MEMORY_DISABLED` */
export function refuseUnlessKept(writer: MemoryWriter, { organization }: MemoryCaller): void {
  const policy = policyOf(writer, organization);
  if (policy.isEnabled && policy.ceiling !== 'persist_none') return;
  const message = "The organization's memory policy does not allow storing; change the policy first.";
  throw new RequestError(message, { code: 'MEMORY_DISABLED' });
}

/** The owner of a record with this scope. @throws RequestError `INVALID_REQUEST` when the scope's id is missing */
export function namedOwner(
  scope: SharingScope,
  caller: MemoryCaller,
  ids: { agentId?: string | null | undefined; swarmId?: string | null | undefined },
): MemoryOwner {
  const { agentId, swarmId } = ids;
  const owner = ownerOf(scope, {
    ...caller,
    ...(agentId ? { agentId } : {}),
    ...(swarmId ? { swarmId } : {}),
  });
  if (owner) return owner;
  const message = `A record with sharing_scope "${scope}" needs ${scope}_id.`;
  throw new RequestError(message, { code: 'INVALID_REQUEST', details: { sharing_scope: scope } });
}

/** The owner of a record after a change that may name another scope. @throws RequestError `INVALID_REQUEST` */
export function ownerAfter(
  caller: MemoryCaller,
  { reach, ownerId }: MemoryOwner,
  change: {
    sharing_scope?: SharingScope | null | undefined;
    agent_id?: string | null | undefined;
    swarm_id?: string | null | undefined;
  },
): MemoryOwner {
  if (change.sharing_scope == null && change.agent_id == null && change.swarm_id == null)
    return { reach, ownerId };
  return namedOwner(change.sharing_scope ?? SharingScopeSchema.parse(reach), caller, {
    agentId: change.agent_id ?? (reach === 'agent' ? ownerId : undefined),
    swarmId: change.swarm_id ?? (reach === 'swarm' ? ownerId : undefined),
  });
}

/** The fields that every record has. */
export function recordBase({
  id,
  projectId,
  organization,
  reach,
  ownerId,
  createdAtMs,
  updatedAtMs,
}: MemoryAsset) {
  const org = organizationId(organization);
  return {
    id,
    project_id: projectId,
    ...(org === undefined ? {} : { organization_id: org }),
    ...(reach === 'agent' ? { agent_id: ownerId } : {}),
    ...(reach === 'swarm' ? { swarm_id: ownerId } : {}),
    sharing_scope: reach,
    created_at: new Date(createdAtMs).toISOString(),
    updated_at: new Date(updatedAtMs).toISOString(),
  };
}

/** Finds a record of the caller's project. @throws RequestError `MEMORY_NOT_FOUND` */
export function findAsset(
  { database, clock }: MemoryWriter,
  { projectId, kind, id }: { projectId: string; kind: MemoryKind; id: string },
): MemoryAsset {
  const asset = database.assets.read(projectId, kind, id, clock.nowMs());
  if (asset) return asset;
  throw new RequestError(`The project has no ${kind} "${id}".`, {
    code: 'MEMORY_NOT_FOUND',
    details: { kind, id },
  });
}

/** Refuses an id that the project already uses. @throws RequestError `MEMORY_CONFLICT` */
export function refuseTaken(
  { database }: MemoryWriter,
  { projectId, kind, id }: { projectId: string; kind: MemoryKind; id: string | undefined },
): void {
  if (!id || !database.assets.has(projectId, kind, id)) return;
  const article = kind === 'insight' ? 'an' : 'a';
  throw new RequestError(`The project already has ${article} ${kind} "${id}".`, {
    code: 'MEMORY_CONFLICT',
    details: { kind, id },
  });
}

/** The wanted id if it is free in the project, otherwise a new one. */
export function freeId(
  { database, randomText }: MemoryWriter,
  { projectId, kind, wanted }: { projectId: string; kind: MemoryKind; wanted?: string | undefined },
): string {
  if (wanted && !database.assets.has(projectId, kind, wanted)) return wanted;
  return `${kind}_${randomText(22)}`;
}
