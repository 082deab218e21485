import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BridgeRegistry } from '@svc/events';

/** The part of an app that `mountEvents` uses. Any Fastify instance fits, whatever its server, logger or types. */
export interface MountableApp {
  readonly prefix: string;
  readonly log: { warn(message: string): void };
  readonly server: {
    prependListener(
      event: 'request',
      listener: (request: IncomingMessage, response: ServerResponse) => void,
    ): unknown;
  };
  hasDecorator(name: string): boolean;
  decorate(name: 'eventBridges', value: BridgeRegistry): unknown;
  route(route: {
    method: unknown;
    url: string;
    exposeHeadRoute?: boolean | undefined;
    // The types of requests and replies differ between HTTP/1.1 and HTTP/2; the parts the route uses do not.
    handler: (request: never, reply: never) => unknown;
  }): unknown;
  addHook(name: 'preClose', hook: () => Promise<void>): unknown;
}
