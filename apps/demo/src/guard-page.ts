import type { FastifyInstance } from 'fastify';

/**
 * The page shows text from models and files. None of it is executed. Nothing is loaded from other origins, such as an
 * image whose address reveals what was read. No other page may frame it to trick the user into answering a question.
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

/** Sends these restrictions with every response. */
export function guardPage(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });
}
