import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { SkillBodySchema } from '../memory/skills.js';
import { PageSchema } from './memory-page.js';
import { memoryRecords } from './memory-records.js';
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

  memoryRecords(app, { path, open, query: QuerySchema, body: SkillBodySchema });
}
