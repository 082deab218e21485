import { page } from '../page.js';

/**
 * Makes the change with the page's next frame, or after 32 ms without one: a hidden page and a server have none. It is
 * called twice.
 */
export function scheduleFrame(change: () => void): void {
  page.requestAnimationFrame?.(change);
  setTimeout(change, 32);
}
