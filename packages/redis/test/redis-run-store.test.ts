import { runStoreSuite } from '@svc/orchestrator/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisRunStore } from '../src/index.js';
import { addLimitedUser, limitedUser, refusedCommands } from './limited-user.js';
import { hasRedis, RedisServer } from './redis-server.js';

describe.skipIf(!hasRedis)('redisRunStore', () => {
  let server: RedisServer;
  let prefixes = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
    await addLimitedUser(server, 'test-');
  });
  afterAll(() => server?.stop());

  runStoreSuite({
    name: 'redis',
    async open() {
      const prefix = `test-${(prefixes += 1)}:`;
      const again = async () => redisRunStore({ client: server.client(limitedUser), prefix });
      return { store: await again(), reopen: again, beside: again };
    },
  });

  it('needs no more rights than the guide names', async () => {
    expect(await refusedCommands(server)).toEqual([]);
  });
});
