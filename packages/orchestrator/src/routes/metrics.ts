import type { FastifyInstance } from 'fastify';
import { callerOf, findCaller } from './authenticate.js';
import type { RouteContext } from './route-context.js';

/** `GET /metrics`: the metrics of the key's project and of the process in the Prometheus text format. Counts each request with a key once it is answered. */
export function metrics(app: FastifyInstance, { metrics: counted }: RouteContext): void {
  app.addHook('onResponse', async (request, { statusCode }) => {
    const caller = findCaller(request);
    if (!caller) return;
    const { method, routeOptions } = request;
    const labels = { method, route: routeOptions.url ?? '(none)', status: statusCode };
    counted.of(caller.project).requests.inc(labels);
  });
  app.get('/metrics', { config: { access: ['metrics'] } }, async (request, reply) => {
    void reply.type(counted.contentType);
    return counted.render(callerOf(request).project);
  });
}
