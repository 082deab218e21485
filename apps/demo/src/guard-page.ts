import type { FastifyInstance } from 'fastify';

/**
 * The page shows what models and files say: nothing of it is run, nothing is loaded from elsewhere, as an image whose
 * address tells what was read would be, and no other page frames it to have a question answered by a click.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Says with every answer what the page may do. */
export function guardPage(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });
}
