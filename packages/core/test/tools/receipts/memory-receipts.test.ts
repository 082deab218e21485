import { expect, it } from 'vitest';
import { memoryReceiptStore } from '../../../src/tools/receipts/receipts.js';

it('a memory receipt store drops its oldest outcomes above a total size, but keeps the calls as begun', async () => {
  const receipts = memoryReceiptStore({ maxReceipts: 30 });
  // Five of them exceed the bound.
  const large = { ok: true as const, json: 'x'.repeat(15 * 1024 * 1024) };
  for (let call = 0; call < 12; call += 1) {
    await receipts.begin(`large-${call}`, { toolName: 't', at: 0 });
    await receipts.settle(`large-${call}`, large);
    await receipts.settle(`small-${call}`, { ok: true, json: call });
  }
  const states = Array.from({ length: 12 }, async (_, call) => (await receipts.find(`large-${call}`))?.state);
  expect(await Promise.all(states)).toEqual([...Array(8).fill('begun'), ...Array(4).fill('settled')]);
  // Receipts that are dropped entirely make room too, and do not come back.
  for (let call = 0; call < 27; call += 1) await receipts.settle(`more-${call}`, { ok: true, json: call });
  expect(await receipts.find('large-10')).toBeUndefined();
  for (const call of ['large-11', 'large-12', 'large-13', 'large-14']) await receipts.settle(call, large);
  for (const call of ['large-11', 'large-14'])
    expect(await receipts.find(call)).toEqual({ state: 'settled', outcome: large });
  expect(await receipts.find('large-10')).toBeUndefined();
  expect(await receipts.find('more-26')).toEqual({ state: 'settled', outcome: { ok: true, json: 26 } });
});
