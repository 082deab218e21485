export { openSharedEventStream } from './tabs/open-shared-event-stream.js';
export type { SharedStreamOptions } from './tabs/shared-stream-options.js';
