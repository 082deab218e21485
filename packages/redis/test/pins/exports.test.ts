import { expect, it } from 'vitest';
import * as root from '../../src/index.js';

it('@svc/redis exports its public names and nothing else', () => {
  expect(Object.keys(root).toSorted()).toEqual([
    'RedisError',
    'RunStoreError',
    'redisEventLog',
    'redisRunStore',
  ]);
});
