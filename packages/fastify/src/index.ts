export { getEventBridge, removeEventBridge } from './default-registry.js';
export { eventsPlugin, mountEvents } from './mount-events.js';
export type { MountOptions, ReaderLimits } from './mount-options.js';
export type { MountableApp } from './mountable-app.js';
