const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a request was meant for this server: its host is loopback or allowed, and so is the page it comes from, if any. */
export function isHostAllowed(host: string, origin: string | null, allowedHosts: readonly string[]): boolean {
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
  const isAllowed = (given: string) => {
    const name = given.toLowerCase();
    return LOOPBACK.has(withoutPort(name)) || allowed.has(name) || allowed.has(withoutPort(name));
  };
  if (!isAllowed(host)) return false;
  if (origin === null) return true;
  return URL.canParse(origin) && isAllowed(new URL(origin).host);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}
