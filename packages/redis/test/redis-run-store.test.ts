import { runStoreSuite } from '@svc/orchestrator/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { redisRunStore } from '../src/index.js';
import { hasRedis, RedisServer } from './redis-server.js';

describe.skipIf(!hasRedis)('redisRunStore', () => {
  let server: RedisServer;
  let prefixes = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  runStoreSuite({
    name: 'redis',
    async open() {
      const prefix = `test-${(prefixes += 1)}:`;
      const again = async () => redisRunStore({ client: server.client(), prefix });
      return { store: await again(), reopen: again, beside: again };
    },
  });
});
