import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { getLogger } from '../../../src/logging/logger.js';
import type { OfferedResult } from '../../../src/mcp/serve/offers/offer.js';
import { createProtocolServer } from '../../../src/mcp/serve/protocol-server.js';
import '../mcp-doubles.js';

it('a protocol server is busy until every call has succeeded or failed', async () => {
  const calls: PromiseWithResolvers<OfferedResult>[] = [];
  const offer = {
    listTools: () => [],
    call() {
      const call = Promise.withResolvers<OfferedResult>();
      calls.push(call);
      return call.promise;
    },
  };
  const identity = { name: 's', version: '1', instructions: undefined };
  const { server, isBusy } = await createProtocolServer(offer, identity, getLogger('test'));
  const client = new Client({ name: 'c', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(async () => client.close());
  expect(isBusy()).toBe(false);
  const [first, second] = [client.callTool({ name: 'work' }), client.callTool({ name: 'work' })];
  await expect.poll(() => calls, { timeout: 10_000 }).toHaveLength(2);
  expect(isBusy()).toBe(true);
  calls[0]?.resolve({ isError: false, text: 'done' });
  expect(await first).toMatchObject({ content: [{ text: 'done' }] });
  expect(isBusy()).toBe(true);
  calls[1]?.reject(new Error('it broke'));
  await expect(second).rejects.toThrow('it broke');
  expect(isBusy()).toBe(false);
});
