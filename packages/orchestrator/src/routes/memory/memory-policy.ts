import type { MemoryPolicy, MemoryPurgeResponse } from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import { RequestError } from '../../errors.js';
import { parseBody } from '../../ingress/read-request.js';
import { PurgeBodySchema } from '../../memory/memory-bodies.js';
import { PolicyChangeSchema } from '../../memory/keeping/memory-policy.js';
import { organizationCaller } from './memory-caller.js';
import type { RouteContext } from '../route-context.js';

interface Place {
  Params: { organizationId: string };
}

/** The memory policy of the key's organization, and how to purge the memory of the key's project. */
export function memoryPolicy(app: FastifyInstance, { memory }: RouteContext): void {
  const path = '/organizations/:organizationId/memory-policy';
  const readRoute = { config: { access: ['memory', 'administration'] } } as const;
  const changeRoute = { config: { access: ['administration'] } } as const;

  app.get<Place>(path, readRoute, async (request): Promise<MemoryPolicy> => {
    const caller = organizationCaller(request, request.params.organizationId);
    return (await memory.open()).policies.get(caller);
  });

  app.patch<Place>(path, changeRoute, async (request): Promise<MemoryPolicy> => {
    const caller = organizationCaller(request, request.params.organizationId);
    const change = parseBody(PolicyChangeSchema, request.body);
    return (await memory.open()).policies.change(caller, change);
  });

  app.post<Place>(`${path}/purge`, changeRoute, async (request): Promise<MemoryPurgeResponse> => {
    const caller = organizationCaller(request, request.params.organizationId);
    const { confirm_token, project_id, session_id } = parseBody(PurgeBodySchema, request.body);
    if (project_id != null && project_id !== caller.projectId) {
      throw new RequestError(
        'The key belongs to another project; a project can be purged only with its own key.',
        {
          code: 'PROJECT_FORBIDDEN',
        },
      );
    }
    return (await memory.open()).policies.purge(caller, {
      confirmToken: confirm_token ?? undefined,
      sessionId: session_id ?? undefined,
    });
  });
}
