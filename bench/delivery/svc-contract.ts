import { createAdapter } from './fastify-adapter.js';

/** The contract's events, through the whole pipeline. */
export default (options: { heartbeatMs?: number; historyLimit?: number }) =>
  createAdapter({ ...options, what: 'contract' });
