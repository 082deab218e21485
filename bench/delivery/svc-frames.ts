import { createAdapter } from './fastify-adapter.js';

/** Frames that are made before the clock starts, as those of `raw` are: the way from the log to the socket alone. */
export default (options: { heartbeatMs?: number; historyLimit?: number }) =>
  createAdapter({ ...options, what: 'frames' });
