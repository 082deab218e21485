import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { callTool, connectTo } from '../mcp-doubles.js';
import { startStatelessDouble, type Answer } from '../stateless-double.js';

/** Calls a tool of a server that answers each call in the way of its turn, and then with a result. */
async function callInTurns(tool: string, turns: readonly (() => Answer | Promise<Answer>)[], more = {}) {
  const remote = await startStatelessDouble((method, called) => {
    if (method === 'initialize') return { status: 400 };
    const turn = called.filter((name) => name === 'tools/call').length - 1;
    return method === 'tools/call' ? turns[turn]?.() : undefined;
  });
  const server = connectTo({ name: 'new', url: remote.url, ...more });
  return callTool(await server.listTools(), tool);
}

it('a server is not silent when it asks the call to come back', async () => {
  const comeBack = async () => {
    await wait(600);
    return { result: { resultType: 'input_required', requestState: 'later' } };
  };
  await expect(callInTurns('__look', [comeBack, comeBack], { callTimeoutMs: 1_500 })).resolves.toBeDefined();
});
