import { expect, it } from 'vitest';
import { connectTo } from '../mcp-doubles.js';
import { startStatelessDouble, type Answer } from '../stateless-double.js';

const discovered = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true } },
};

/** Starts a server that reports changes of its tools in the given way. */
async function startWatched(listen: (count: number) => Answer | Promise<Answer>) {
  return startStatelessDouble((method, called) => {
    if (method === 'initialize') return { status: 400 };
    if (method === 'server/discover') return { result: discovered };
    const count = called.filter((name) => name === method).length;
    return method === 'subscriptions/listen' ? listen(count) : undefined;
  });
}

it('a server that never confirms that it reports changes of its tools is used anyway', async () => {
  const remote = await startWatched(async () => new Promise(() => {}));
  const server = connectTo({ name: 'new', url: remote.url, connectTimeoutMs: 1_000 });
  expect(await server.listTools()).toHaveLength(2);
});
