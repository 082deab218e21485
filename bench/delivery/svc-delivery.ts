import { createAdapter } from './fastify-adapter.js';

/** An application's own events, which pass through: the same bytes as the peers'. */
export default (options: { heartbeatMs?: number; historyLimit?: number }) =>
  createAdapter({ ...options, what: 'events' });
