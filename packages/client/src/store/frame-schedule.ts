/** When a change is shown without a frame, in milliseconds: a hidden page and a server have none. */
const noFrameMs = 32;

interface Frames {
  requestAnimationFrame?: (draw: () => void) => unknown;
  setTimeout: unknown;
}

/** Makes the change with the page's next frame, or soon where there are no frames. It may be made twice. */
export function scheduleFrame(change: () => void): void {
  const { requestAnimationFrame }: Frames = globalThis;
  requestAnimationFrame?.(change);
  setTimeout(change, noFrameMs);
}
