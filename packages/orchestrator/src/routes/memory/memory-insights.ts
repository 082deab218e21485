import { MemoryInsightSchema, SharingScopeSchema, type MemoryInsight } from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import { parseBody } from '../../ingress/read-request.js';
import { PromoteBodySchema } from '../../memory/memory-bodies.js';
import { InsightBodySchema } from '../../memory/knowledge/insights.js';
import { filterBy, PageSchema, type MemoryPlace } from './memory-page.js';
import { memoryRoute, projectCaller } from './memory-caller.js';
import { memoryRecords } from './memory-records.js';
import type { RouteContext } from '../route-context.js';

const QuerySchema = PageSchema.extend({
  sharing_scope: filterBy(SharingScopeSchema),
  insight_type: filterBy(MemoryInsightSchema.shape.insight_type),
  origin: filterBy(MemoryInsightSchema.shape.origin.unwrap()),
});

/** The insights of the key's project. */
export function memoryInsights(app: FastifyInstance, { memory }: RouteContext): void {
  const path = '/projects/:projectId/memory/insights';
  const open = async () => (await memory.open()).insights;

  memoryRecords(app, { path, open, query: QuerySchema, body: InsightBodySchema });

  app.post<MemoryPlace>(`${path}/:id/promote`, memoryRoute, async (request): Promise<MemoryInsight> => {
    const caller = projectCaller(request, request.params.projectId);
    const { target_scope } = parseBody(PromoteBodySchema, request.body);
    return (await open()).promote(caller, request.params.id, target_scope);
  });
}
