export { encodeFrame } from './sse/encode-frame.js';
export type { Frame } from './sse/frame.js';
