import { describeEventLog } from '@svc/events/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { redisEventLog } from '../src/index.js';
import { hasRedis, RedisServer } from './redis-server.js';

describe.skipIf(!hasRedis)('redisEventLog', () => {
  let server: RedisServer;
  let prefixes = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  describeEventLog('redisEventLog', async () => {
    const prefix = `test-${(prefixes += 1)}:`;
    const connect = async () => redisEventLog({ client: server.client(), prefix });
    return { log: await connect(), connect, isDurable: true };
  });
});
