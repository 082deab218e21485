import type { Agent, Dispatcher } from 'undici';
import { sendTraced } from './send-traced.js';

/** Creates the connections of a client. Each of their requests carries the trace of its caller. */
export async function createConnectionPool(): Promise<Agent> {
  // By its file: Bun has a module of its own for the bare name, without `request`. By its default export: a bundler
  // that splits its output into chunks gives a CommonJS module no named exports.
  const { default: undici } = await import('undici/index.js');
  // Not around the pool: it keeps requests until it knows whether a server speaks HTTP/2, and passes them on later, in
  // the contexts of their callers.
  class TracedConnection extends undici.Client {
    override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      return sendTraced(() => super.dispatch(options, handler));
    }
  }
  return new undici.Agent({
    keepAliveTimeout: 10_000,
    factory: (origin, options) =>
      new undici.Pool(origin, {
        ...options,
        factory: (url, settings) => new TracedConnection(url, settings),
      }),
  });
}
