import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BridgeRegistry } from '@svc/events';

/** What a mount needs of an app: every Fastify instance has it, whatever its server, logger or type provider. */
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
    // The types of requests and replies differ between HTTP/1.1 and HTTP/2; what the route uses of them does not.
    handler: (request: never, reply: never) => unknown;
  }): unknown;
  addHook(name: 'preClose', hook: () => Promise<void>): unknown;
}
