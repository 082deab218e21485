import type { FastifyInstance } from 'fastify';
import { pageHtml } from '../page/page-html.js';
import type { RouteContext } from './route-context.js';

/** `GET /`: a read-only page with the sessions of the key's project. A browser asks for the key as a password. */
export function page(app: FastifyInstance, { randomText }: RouteContext): void {
  app.get('/', { config: { access: ['read'], basic: true } }, async (_request, reply) => {
    const nonce = randomText(22);
    const policy = [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      `connect-src 'self'`,
      `img-src data:`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
    ].join('; ');
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .send(pageHtml(nonce));
  });
}
