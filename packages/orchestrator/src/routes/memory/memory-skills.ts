import { MemorySkillSchema, SharingScopeSchema } from '@svc/contracts/orchestrator';
import type { FastifyInstance } from 'fastify';
import { SkillBodySchema } from '../../memory/knowledge/skills.js';
import { filterBy, PageSchema } from './memory-page.js';
import { memoryRecords } from './memory-records.js';
import type { RouteContext } from '../route-context.js';

const QuerySchema = PageSchema.extend({
  sharing_scope: filterBy(SharingScopeSchema),
  origin: filterBy(MemorySkillSchema.shape.origin.unwrap()),
  status: filterBy(MemorySkillSchema.shape.status.unwrap()),
});

/** The skills of the key's project. */
export function memorySkills(app: FastifyInstance, { memory }: RouteContext): void {
  const path = '/projects/:projectId/memory/skills';
  const open = async () => (await memory.open()).skills;

  memoryRecords(app, { path, open, query: QuerySchema, body: SkillBodySchema });
}
