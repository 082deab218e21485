import type { FastifyRequest } from 'fastify';
import { RequestError } from '../../errors.js';
import { organizationKey } from '../../memory/records/memory-viewer.js';
import type { MemoryCaller } from '../../memory/keeping/memory-writer.js';
import { callerOf } from '../authenticate.js';

/** The options of the routes for a project's memory. */
export const memoryRoute = { config: { access: ['memory'] } } as const;

/** The caller, if this project's memory is theirs. @throws RequestError `PROJECT_FORBIDDEN` */
export function projectCaller(request: FastifyRequest, projectId: string): MemoryCaller {
  const { project, organization } = callerOf(request);
  if (project !== projectId) {
    throw new RequestError('The key belongs to another project.', { code: 'PROJECT_FORBIDDEN' });
  }
  return { projectId: project, organization: organizationKey(project, organization) };
}

/**
 * The caller, if this organization's policy is theirs. The policy of a project without an organization has the
 * project's own name. @throws RequestError `ORGANIZATION_FORBIDDEN`
 */
export function organizationCaller(request: FastifyRequest, organizationId: string): MemoryCaller {
  const { project, organization } = callerOf(request);
  if ((organization ?? project) !== organizationId) {
    throw new RequestError('The key belongs to another organization.', { code: 'ORGANIZATION_FORBIDDEN' });
  }
  return { projectId: project, organization: organizationKey(project, organization) };
}
