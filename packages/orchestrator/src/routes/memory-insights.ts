import type { MemoryInsight } from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { parseBody } from '../ingress/read-request.js';
import { PromoteBodySchema } from '../memory/memory-bodies.js';
import { InsightBodySchema } from '../memory/insights.js';
import { PageSchema, type MemoryListPlace, type MemoryPlace } from './memory-page.js';
import { memoryRoute, projectCaller } from './memory-caller.js';
import type { RouteContext } from './route-context.js';

const QuerySchema = PageSchema.extend({
  sharing_scope: z.string().optional(),
  insight_type: z.string().optional(),
  origin: z.string().optional(),
});

/** The insights of the key's project. */
export function memoryInsights(app: FastifyInstance, { memory }: RouteContext): void {
  const path = '/projects/:projectId/memory/insights';
  const open = async () => (await memory.open()).insights;

  app.get<MemoryListPlace>(path, memoryRoute, async (request): Promise<{ items: MemoryInsight[] }> => {
    const caller = projectCaller(request, request.params.projectId);
    const query = parseBody(QuerySchema, request.query);
    return { items: (await open()).list(caller, query) };
  });

  app.post<MemoryListPlace>(path, memoryRoute, async (request, reply): Promise<MemoryInsight> => {
    const caller = projectCaller(request, request.params.projectId);
    const insight = await (await open()).create(caller, parseBody(InsightBodySchema, request.body));
    void reply.code(201);
    return insight;
  });

  app.get<MemoryPlace>(`${path}/:id`, memoryRoute, async (request): Promise<MemoryInsight> => {
    const caller = projectCaller(request, request.params.projectId);
    return (await open()).get(caller, request.params.id);
  });

  app.patch<MemoryPlace>(`${path}/:id`, memoryRoute, async (request): Promise<MemoryInsight> => {
    const caller = projectCaller(request, request.params.projectId);
    return (await open()).update(caller, request.params.id, parseBody(InsightBodySchema, request.body));
  });

  app.delete<MemoryPlace>(`${path}/:id`, memoryRoute, async (request, reply) => {
    const caller = projectCaller(request, request.params.projectId);
    await (await open()).delete(caller, request.params.id);
    return reply.code(204).send();
  });

  app.post<MemoryPlace>(`${path}/:id/promote`, memoryRoute, async (request): Promise<MemoryInsight> => {
    const caller = projectCaller(request, request.params.projectId);
    const { target_scope } = parseBody(PromoteBodySchema, request.body);
    return (await open()).promote(caller, request.params.id, target_scope);
  });
}
