import type { MemorySkill } from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { parseBody } from '../ingress/read-request.js';
import { SkillBodySchema } from '../memory/skills.js';
import { PageSchema, type MemoryListPlace, type MemoryPlace } from './memory-page.js';
import { memoryRoute, projectCaller } from './memory-caller.js';
import type { RouteContext } from './route-context.js';

const QuerySchema = PageSchema.extend({
  sharing_scope: z.string().optional(),
  origin: z.string().optional(),
  status: z.string().optional(),
});

/** The skills of the key's project. */
export function memorySkills(app: FastifyInstance, { memory }: RouteContext): void {
  const path = '/projects/:projectId/memory/skills';
  const open = async () => (await memory.open()).skills;

  app.get<MemoryListPlace>(path, memoryRoute, async (request): Promise<{ items: MemorySkill[] }> => {
    const caller = projectCaller(request, request.params.projectId);
    const query = parseBody(QuerySchema, request.query);
    return { items: (await open()).list(caller, query) };
  });

  app.post<MemoryListPlace>(path, memoryRoute, async (request, reply): Promise<MemorySkill> => {
    const caller = projectCaller(request, request.params.projectId);
    const skill = await (await open()).create(caller, parseBody(SkillBodySchema, request.body));
    void reply.code(201);
    return skill;
  });

  app.get<MemoryPlace>(`${path}/:id`, memoryRoute, async (request): Promise<MemorySkill> => {
    const caller = projectCaller(request, request.params.projectId);
    return (await open()).get(caller, request.params.id);
  });

  app.patch<MemoryPlace>(`${path}/:id`, memoryRoute, async (request): Promise<MemorySkill> => {
    const caller = projectCaller(request, request.params.projectId);
    return (await open()).update(caller, request.params.id, parseBody(SkillBodySchema, request.body));
  });

  app.delete<MemoryPlace>(`${path}/:id`, memoryRoute, async (request, reply) => {
    const caller = projectCaller(request, request.params.projectId);
    await (await open()).delete(caller, request.params.id);
    return reply.code(204).send();
  });
}
