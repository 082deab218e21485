/** What a browser adds to the platform. A worker has some of it, Node nothing. */
interface Page extends Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> {
  document?: { baseURI: string; hidden: boolean };
  location?: { href: string };
  navigator?: { locks?: unknown };
  requestAnimationFrame?: (draw: () => void) => unknown;
  URL: unknown;
}

export const page: Page = globalThis;
