import type { FastifyInstance } from 'fastify';
import { RequestError } from '../errors.js';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether an address is reachable from this machine only; every one that begins with 127 is. */
function isLoopback(host: string): boolean {
  return loopback.has(host.toLowerCase()) || /^127(?:\.\d+){1,3}$/.test(host);
}

/**
 * Refuses requests for host names that are not allowed, so that a page in a browser cannot reach a local orchestrator
 * through its own domain. Without allowed names every host is accepted. Routes without a key are exempt: they reveal
 * nothing, and probes call them by whatever address a container has.
 */
export function refuseForeignHosts(
  app: FastifyInstance,
  allowed: () => ReadonlySet<string> | undefined,
): void {
  app.addHook('onRequest', async (request) => {
    const names = allowed();
    if (request.routeOptions.config.access === 'open') return;
    const name = hostName(request.headers.host);
    if (!names || names.has(name) || isLoopback(name)) return;
    throw new RequestError(
      'This host name is not allowed; add it to allowedHosts, or pass it to svc orchestrator as --allowed-host.',
      { code: 'HOST_FORBIDDEN' },
    );
  });
}

/** Names that an orchestrator accepts besides the loopback ones. */
interface ExtraNames {
  readonly allowedHosts: readonly string[];
  readonly publicUrl?: string | undefined;
}

/** Returns the names under which an orchestrator answers; `undefined` means all. */
export function hostNames(
  host: string,
  { allowedHosts, publicUrl }: ExtraNames,
): ReadonlySet<string> | undefined {
  if (!isLoopback(host) && allowedHosts.length === 0) return undefined;
  const named = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  return new Set([...loopback, ...allowedHosts.map((name) => name.toLowerCase()), ...named]);
}

function hostName(header: string | undefined): string {
  return (header ?? '').replace(/:\d+$/, '').toLowerCase();
}
