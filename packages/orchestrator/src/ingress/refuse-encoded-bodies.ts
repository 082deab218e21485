import type { FastifyInstance } from 'fastify';
import { RequestError } from '../errors.js';

/** Refuses compressed bodies and, as HTTP requires, names the accepted encoding. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ headers, method, is404 }, reply) => {
    const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (coding === '' || coding === 'identity' || !hasBody || is404) return;
    if (method === 'GET' || method === 'HEAD') return;
    void reply.header('accept-encoding', 'identity');
    throw new RequestError('Compressed bodies are not supported; send the body without Content-Encoding.', {
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  });
}
