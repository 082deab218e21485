import { describeEventLog } from '@svc/events/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisEventLog } from '../src/index.js';
import { addLimitedUser, limitedUser, refusedCommands } from './limited-user.js';
import { hasRedis, RedisServer } from './redis-server.js';

describe.skipIf(!hasRedis)('redisEventLog', () => {
  let server: RedisServer;
  let prefixes = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
    await addLimitedUser(server, 'test-');
  });
  afterAll(() => server?.stop());

  describeEventLog('redisEventLog', async () => {
    const prefix = `test-${(prefixes += 1)}:`;
    const connect = async () => redisEventLog({ client: server.client(limitedUser), prefix });
    return { log: await connect(), connect, isDurable: true };
  });

  it('needs no more rights than the guide names', async () => {
    expect(await refusedCommands(server)).toEqual([]);
  });
});
