import type { FastifyInstance } from 'fastify';
import type * as z from 'zod';
import { parseBody } from '../../ingress/read-request.js';
import type { MemoryCaller } from '../../memory/keeping/memory-writer.js';
import type { MemoryListPlace, MemoryPlace } from './memory-page.js';
import { memoryRoute, projectCaller } from './memory-caller.js';

/** What stores the records of one kind. */
interface RecordStore<Item, Query, Body> {
  list(caller: MemoryCaller, query: Query): Item[];
  create(caller: MemoryCaller, body: Body): Promise<Item>;
  get(caller: MemoryCaller, id: string): Item;
  update(caller: MemoryCaller, id: string, body: Body): Promise<Item>;
  delete(caller: MemoryCaller, id: string): Promise<void>;
}

/** Listing, storing, reading, changing and removing the records of one kind. */
export function memoryRecords<Item, Query, Body>(
  app: FastifyInstance,
  {
    path,
    open,
    query,
    body,
    createRoute = memoryRoute,
  }: {
    path: string;
    open: () => Promise<RecordStore<Item, Query, Body>>;
    query: z.ZodType<Query>;
    body: z.ZodType<Body>;
    createRoute?: typeof memoryRoute & { bodyLimit?: number };
  },
): void {
  app.get<MemoryListPlace>(path, memoryRoute, async (request): Promise<{ items: Item[] }> => {
    const caller = projectCaller(request, request.params.projectId);
    const filters = parseBody(query, request.query);
    return { items: (await open()).list(caller, filters) };
  });

  app.post<MemoryListPlace>(path, createRoute, async (request, reply): Promise<Item> => {
    const caller = projectCaller(request, request.params.projectId);
    const item = await (await open()).create(caller, parseBody(body, request.body));
    void reply.code(201);
    return item;
  });

  app.get<MemoryPlace>(`${path}/:id`, memoryRoute, async (request): Promise<Item> => {
    const caller = projectCaller(request, request.params.projectId);
    return (await open()).get(caller, request.params.id);
  });

  app.patch<MemoryPlace>(`${path}/:id`, memoryRoute, async (request): Promise<Item> => {
    const caller = projectCaller(request, request.params.projectId);
    return (await open()).update(caller, request.params.id, parseBody(body, request.body));
  });

  app.delete<MemoryPlace>(`${path}/:id`, memoryRoute, async (request, reply) => {
    const caller = projectCaller(request, request.params.projectId);
    await (await open()).delete(caller, request.params.id);
    return reply.code(204).send();
  });
}
