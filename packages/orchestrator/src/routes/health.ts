import type { FastifyInstance } from 'fastify';
import type { RouteContext } from './route-context.js';

/**
 * `GET /health`: the process is alive. `GET /health/ready`: it has taken over its unfinished runs and accepts new
 * sessions. Neither requires a key.
 */
export function health(app: FastifyInstance, { hasStarted, isDraining }: RouteContext): void {
  const route = { config: { access: 'open' } as const };
  app.get('/health', route, async () => ({ status: 'ok' }));
  app.get('/health/ready', route, async (_request, reply) => {
    if (hasStarted() && !isDraining()) return { status: 'ready' };
    const status = isDraining() ? 'draining' : 'starting';
    return reply.code(503).header('retry-after', '1').send({ status });
  });
}
