import type { RunStore, SessionRequest } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { isJsonObject } from '../../json-object.js';
import type { MemoryHome } from './memory-subject.js';
import { organizationKey } from '../records/memory-viewer.js';

const HomeSchema = z.object({ organization: z.string(), swarm_id: z.string().optional() });

/** Where a run's memory belongs, as stored with its request. */
export type StoredMemoryHome = z.output<typeof HomeSchema>;

/**
 * Finds the organization and the swarm of a new run. A nested session belongs to the swarm of its parent, in the
 * parent's project.
 */
export async function findMemoryHome(
  store: RunStore,
  { projectId, organization }: { projectId: string; organization?: string | undefined },
  { swarm_config: swarm }: SessionRequest,
): Promise<StoredMemoryHome> {
  const home = { organization: organizationKey(projectId, organization) };
  const parent = swarm?.parent_session_id ? await store.readRun(swarm.parent_session_id) : undefined;
  // A parent session of another project is ignored.
  if (!parent || parent.projectId !== projectId || !isJsonObject(parent.request)) return home;
  const { swarm_config, memory_home } = parent.request;
  const own = isJsonObject(swarm_config) ? swarm_config['swarm_id'] : undefined;
  const inherited = isJsonObject(memory_home) ? memory_home['swarm_id'] : undefined;
  const swarmId = own ?? inherited;
  return typeof swarmId === 'string' ? { ...home, swarm_id: swarmId } : home;
}

/** Reads it back; a run without one belongs to its project alone. */
export function readMemoryHome(request: SessionRequest, projectId: string): MemoryHome {
  const parsed = HomeSchema.safeParse(request['memory_home']);
  if (!parsed.success) return { organization: organizationKey(projectId) };
  const { organization, swarm_id } = parsed.data;
  return { organization, ...(swarm_id === undefined ? {} : { swarmId: swarm_id }) };
}
