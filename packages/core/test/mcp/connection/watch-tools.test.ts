import { expect, it } from 'vitest';
import { systemRuntime } from '../../../src/runtime.js';
import { connectTo } from '../mcp-doubles.js';
import { startStatelessDouble, type Answer } from '../stateless-double.js';

const discovered = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true } },
};

const CONFIRMATION = {
  jsonrpc: '2.0',
  method: 'notifications/subscriptions/acknowledged',
  params: {
    notifications: { toolsListChanged: true },
    _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen:0' },
  },
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

it('the tools of a server that confirms, but not that it reports their changes, are listed again', async () => {
  const unreported = { ...CONFIRMATION, params: { ...CONFIRMATION.params, notifications: {} } };
  const remote = await startWatched(() => ({ events: [unreported] }));
  let now = 0;
  const runtime = { ...systemRuntime, monotonicMs: () => now };
  const server = connectTo({ name: 'new', url: remote.url, reconnect: { baseMs: 60_000 } }, { runtime });
  await server.listTools();
  now = 60_000;
  await server.listTools();
  const called = (method: string) => remote.methods.filter((name) => name === method).length;
  expect(['tools/list', 'subscriptions/listen'].map(called)).toEqual([2, 1]);
});

it('a server that ends each subscription is asked for another one after growing delays', async () => {
  const times: number[] = [];
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const remote = await startWatched(() => {
    times.push(performance.now());
    if (times.length === 6) resolve();
    return times.length === 1 ? { events: [CONFIRMATION] } : { error: -32601 };
  });
  const server = connectTo({ name: 'new', url: remote.url, reconnect: { baseMs: 20, maxDelayMs: 100 } });
  await server.connect();
  await enough;
  const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  // A timer may be a little early.
  expect(pauses.map((pause, at) => pause > ([20, 40, 80, 100, 100][at] ?? 0) - 2)).toEqual(
    Array(5).fill(true),
  );
});
