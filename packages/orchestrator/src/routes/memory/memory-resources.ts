import {
  MemoryResourceSchema,
  type MemoryResourceCandidate,
  type MemoryResourceDetail,
} from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { parseBody } from '../../ingress/read-request.js';
import { BindBodySchema } from '../../memory/memory-bodies.js';
import { ResourceBodySchema } from '../../memory/resources/resource-body.js';
import { BindingTypeSchema } from '../../memory/resources/resources.js';
import { filterBy, PageSchema, type MemoryListPlace, type MemoryPlace } from './memory-page.js';
import { memoryRoute, projectCaller } from './memory-caller.js';
import { memoryRecords } from './memory-records.js';
import type { RouteContext } from '../route-context.js';

const QuerySchema = PageSchema.extend({
  binding_type: filterBy(BindingTypeSchema),
  status: filterBy(MemoryResourceSchema.shape.registration_status.unwrap()),
  tags: z.union([z.string().transform((tag) => [tag]), z.array(z.string()).max(20)]).optional(),
});

const CandidatesQuerySchema = PageSchema.omit({ search: true }).extend({
  min_age_days: z.coerce.number().min(0).max(36_500).default(0),
});

/** The resources of the key's project. */
export function memoryResources(app: FastifyInstance, { memory, limits }: RouteContext): void {
  const path = '/projects/:projectId/memory/resources';
  const open = async () => (await memory.open()).resources;
  const withContent = { ...memoryRoute, bodyLimit: limits.startBodyBytes };

  memoryRecords(app, { path, open, query: QuerySchema, body: ResourceBodySchema, createRoute: withContent });

  app.get<MemoryListPlace>(
    `${path}/unbound/candidates`,
    memoryRoute,
    async (request): Promise<{ items: MemoryResourceCandidate[] }> => {
      const caller = projectCaller(request, request.params.projectId);
      const { min_age_days, ...page } = parseBody(CandidatesQuerySchema, request.query);
      return { items: (await open()).candidates(caller, { ...page, minAgeDays: min_age_days }) };
    },
  );

  app.post<MemoryPlace>(
    `${path}/:id/replace`,
    withContent,
    async (request): Promise<MemoryResourceDetail> => {
      const caller = projectCaller(request, request.params.projectId);
      return (await open()).replace(caller, request.params.id, parseBody(ResourceBodySchema, request.body));
    },
  );

  app.post<MemoryPlace>(`${path}/:id/bind`, memoryRoute, async (request): Promise<MemoryResourceDetail> => {
    const caller = projectCaller(request, request.params.projectId);
    return (await open()).bind(caller, request.params.id, parseBody(BindBodySchema, request.body));
  });

  app.post<MemoryPlace>(`${path}/:id/rebind`, memoryRoute, async (request): Promise<MemoryResourceDetail> => {
    const caller = projectCaller(request, request.params.projectId);
    return (await open()).rebind(caller, request.params.id);
  });

  app.post<MemoryPlace>(
    `${path}/:id/restore`,
    memoryRoute,
    async (request): Promise<MemoryResourceDetail> => {
      const caller = projectCaller(request, request.params.projectId);
      return (await open()).restore(caller, request.params.id);
    },
  );
}
