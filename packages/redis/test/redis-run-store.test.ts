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

  it('lists runs without reading their requests, which can be large', async () => {
    const client = server.client();
    const store = redisRunStore({ client, prefix: 'test-list:' });
    const run = { projectId: 'p', keyId: 'k', labels: {}, request: { much: 'text' }, owner: 'a', leaseMs: 1 };
    await store.createRun({ ...run, sessionId: 's1', nowMs: 1 });
    const monitor = await server.client().monitor();
    const read: string[] = [];
    const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
    monitor.on('monitor', (_time: string, [command = '', ...fields]: string[]) => {
      if (command.toLowerCase() === 'hmget') read.push(...fields);
      if (command.toLowerCase() === 'echo') see();
    });
    const claimableBy = { owner: 'b', nowMs: 9 };
    expect(await store.listRuns({ ended: false, claimableBy, limit: 5 })).toMatchObject([
      { sessionId: 's1' },
    ]);
    await client.echo('listed');
    await isSeen;
    monitor.disconnect();
    await store.close();
    expect(read).toContain('labels');
    expect(read).not.toContain('request');
  });

  it('is closed at the end of the block that uses it, and leaves the client open', async () => {
    const client = server.client();
    const store = redisRunStore({ client });
    {
      await using used = store;
      await used.readRun('s');
    }
    await expect(store.readRun('s')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(await client.ping()).toBe('PONG');
  });

  it('needs no more rights than the guide names', async () => {
    expect(await refusedCommands(server)).toEqual([]);
  });
});
