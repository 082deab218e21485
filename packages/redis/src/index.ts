export { RedisError } from './errors.js';
export type { RedisErrorCode } from './errors.js';
export type { RedisClient } from './redis-client.js';
export { redisEventLog } from './redis-event-log.js';
export type { RedisEventLogOptions } from './redis-event-log.js';
export { redisRunStore } from './redis-run-store.js';
export type { RedisRunStoreOptions } from './redis-run-store.js';
export { RunStoreError } from './runs/errors.js';
