import { expect, it } from 'vitest';
import * as root from '../../src/index.js';

it('@svc/redis exports what users bind to, and nothing else', () => {
  expect(Object.keys(root).toSorted()).toEqual([
    'RedisError',
    'RunStoreError',
    'redisEventLog',
    'redisRunStore',
  ]);
});
