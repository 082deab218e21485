/** Opens a channel between tabs, if that is allowed: in Firefox it is not while the user blocks all cookies of the site. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
