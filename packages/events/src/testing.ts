export { chaosProxy } from './testing/chaos-proxy.js';
export type { Chaos, ChaosProxy, ChaosRequest } from './testing/chaos-proxy.js';
export { describeEventLog } from './testing/describe-event-log.js';
export type { EventLogFixture } from './testing/describe-event-log.js';
