import { page } from '../page.js';

/** The wait without animation frames, in milliseconds: a hidden page and a server have none. */
const noFrameMs = 32;

/** Makes the change with the page's next frame, or after 32 ms without one. It is called twice. */
export function scheduleFrame(change: () => void): void {
  page.requestAnimationFrame?.(change);
  setTimeout(change, noFrameMs);
}
