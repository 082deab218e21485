/** The wait without animation frames, in milliseconds: a hidden page and a server have none. */
const noFrameMs = 32;

interface Frames {
  requestAnimationFrame?: (draw: () => void) => unknown;
  setTimeout: unknown;
}

/** Makes the change with the page's next frame, or after 32 ms without one. It may be made twice. */
export function scheduleFrame(change: () => void): void {
  const { requestAnimationFrame }: Frames = globalThis;
  requestAnimationFrame?.(change);
  setTimeout(change, noFrameMs);
}
