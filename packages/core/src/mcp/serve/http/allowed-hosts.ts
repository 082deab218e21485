const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request is meant for this server: its host, and the origin of the page that sent it, if any, are loopback
 * or allowed.
 */
export function isHostAllowed(host: string, origin: string | null, allowedHosts: readonly string[]): boolean {
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
  const isAllowed = (authority: string) => {
    const name = authority.toLowerCase();
    return LOOPBACK.has(withoutPort(name)) || allowed.has(name) || allowed.has(withoutPort(name));
  };
  if (!isAllowed(host)) return false;
  if (origin === null) return true;
  return URL.canParse(origin) && isAllowed(new URL(origin).host);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}
