import { createAdapter } from './fastify-adapter.js';

/** Frames made before the clock starts, like those of `raw`: only the path from the log to the socket. */
export default (options: { heartbeatMs?: number; historyLimit?: number }) =>
  createAdapter({ ...options, what: 'frames' });
