import type { SharingScope } from '@svc/contracts/orchestrator';

/** Who reads or writes memory. A query covers only its viewer's project and what the viewer's organization shares. */
export interface MemoryViewer {
  readonly projectId: string;
  /** The organization, in the form of `organizationKey`. */
  readonly organization: string;
  readonly agentId?: string;
  readonly swarmId?: string;
  readonly threadId?: string;
}

/** Who can see a record: a sharing scope, or its conversation. */
export type MemoryReach = SharingScope | 'thread';

/** The owner of a record within its project. */
export interface MemoryOwner {
  readonly reach: MemoryReach;
  /** The agent, swarm or thread; empty for the project and the organization. */
  readonly ownerId: string;
}

/**
 * The organization of a key. A project without one is separate: its key never equals that of an organization with the
 * same name.
 */
export function organizationKey(projectId: string, organization?: string): string {
  return organization === undefined ? `project:${projectId}` : `organization:${organization}`;
}

/** The organization's id as shown in records; undefined for a project without one. */
export function organizationId(key: string): string | undefined {
  return key.startsWith('organization:') ? key.slice('organization:'.length) : undefined;
}

/** The owner of what a viewer writes with this reach; undefined when the viewer has no such identity. Never widens. */
export function ownerOf(reach: MemoryReach, viewer: MemoryViewer): MemoryOwner | undefined {
  const ids = {
    agent: viewer.agentId,
    swarm: viewer.swarmId,
    thread: viewer.threadId,
    project: '',
    org: '',
  } satisfies Record<MemoryReach, string | undefined>;
  const ownerId = ids[reach];
  return ownerId === undefined ? undefined : { reach, ownerId };
}

/** The SQL condition on `memory_assets` (as `asset`) for what a viewer may see, with its values. */
export function visibleTo(viewer: MemoryViewer): { sql: string; values: string[] } {
  const { projectId, organization } = viewer;
  const reaches = ['project', 'agent', 'swarm', 'thread'] as const;
  const owners = reaches.flatMap((reach) => ownerOf(reach, viewer) ?? []);
  const inProject = owners.map(() => '(asset.reach = ? AND asset.owner_id = ?)').join(' OR ');
  return {
    sql: `((asset.project_id = ? AND (${inProject})) OR (asset.reach = 'org' AND asset.organization = ?))`,
    values: [projectId, ...owners.flatMap(({ reach, ownerId }) => [reach, ownerId]), organization],
  };
}
