import type { FastifyInstance } from 'fastify';
import type { RouteContext } from './route-context.js';

/** `GET /metrics`: everything that is counted, in Prometheus' text format. Counts every request as it is answered. */
export function metrics(app: FastifyInstance, { metrics: counted }: RouteContext): void {
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode }) => {
    counted.requests.inc({ method, route: routeOptions.url ?? '(none)', status: statusCode });
  });
  app.get('/metrics', async (_request, reply) => {
    void reply.type(counted.registry.contentType);
    return counted.registry.metrics();
  });
}
