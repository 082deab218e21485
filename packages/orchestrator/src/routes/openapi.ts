import type { FastifyInstance } from 'fastify';
import { buildOpenApi } from '../openapi/build-openapi.js';

/** `GET /openapi.json`: the description of this API, built on first request. */
export function openApi(app: FastifyInstance): void {
  let document: string | undefined;
  app.get('/openapi.json', { config: { access: ['read'] } }, async (_request, reply) => {
    document ??= JSON.stringify(buildOpenApi());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
