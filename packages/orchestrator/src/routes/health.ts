import type { FastifyInstance } from 'fastify';
import type { RouteContext } from './route-context.js';

/** `GET /health`: the process lives. `GET /health/ready`: it takes new sessions. Both work without a key. */
export function health(app: FastifyInstance, { isDraining }: RouteContext): void {
  const route = { config: { access: 'open' } as const };
  app.get('/health', route, async () => ({ status: 'ok' }));
  app.get('/health/ready', route, async (_request, reply) => {
    if (!isDraining()) return { status: 'ready' };
    return reply.code(503).header('retry-after', '1').send({ status: 'draining' });
  });
}
