import { expect, it } from 'vitest';
import { systemRuntime } from '../../../src/runtime.js';
import { connectTo } from '../mcp-doubles.js';
import { startStatelessDouble, type Answer } from '../stateless-double.js';

const inputSchema = { type: 'object' };

/** Lists the tools of a server that does not report changes of them, at the given times. */
async function listAt(
  times: readonly number[],
  ttlMs: number,
  answer: (count: number) => Answer = () => ({}),
) {
  const remote = await startStatelessDouble((method, called) => {
    if (method === 'initialize') return { status: 400 };
    if (method !== 'tools/list') return undefined;
    const count = called.filter((name) => name === method).length;
    const tools = [{ name: `tool_${count}`, inputSchema }];
    return { result: { resultType: 'complete', tools, ttlMs, cacheScope: 'private' }, ...answer(count) };
  });
  let now = 0;
  const runtime = { ...systemRuntime, monotonicMs: () => now };
  const server = connectTo({ name: 'new', url: remote.url, prefix: '' }, { runtime });
  const listed: (string | undefined)[] = [];
  for (const time of times) {
    now = time;
    listed.push((await server.listTools())[0]?.name);
  }
  return listed;
}

it('tools are listed again once they are no longer valid', async () => {
  expect(await listAt([0, 59_999, 60_000, 119_999, 120_000], 60_000)).toEqual([
    'tool_1',
    'tool_1',
    'tool_2',
    'tool_2',
    'tool_3',
  ]);
});

it('tools are not listed again within ten seconds, even if they are never valid for longer', async () => {
  expect(await listAt([0, 9_999, 10_000], 0)).toEqual(['tool_1', 'tool_1', 'tool_2']);
});

it('the known tools are used if they cannot be listed again', async () => {
  const answer = (count: number) => (count === 2 ? { status: 503 } : {});
  expect(await listAt([0, 10_000, 19_999, 20_000], 0, answer)).toEqual([
    'tool_1',
    'tool_1',
    'tool_1',
    'tool_3',
  ]);
});
