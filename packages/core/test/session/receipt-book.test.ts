import { describe, expect, it } from 'vitest';
import { memoryReceiptStore } from '../../src/tools/receipts.js';
import { startAgent } from '../agent-setup.js';

/** What a call of a writing tool comes to when the caller's own store says this of it. */
async function callWith(found: unknown, { idempotent = false } = {}): Promise<unknown> {
  const receipts = { ...memoryReceiptStore(), find: async () => found as never };
  await using setup = await startAgent(
    async (session) => session.finish({ result: await session.callTool('t') }),
    { receipts },
  );
  setup.agent.toolify(
    { name: 't', description: 't', permissions: ['write'], idempotent },
    () => 'written now',
  );
  return (await setup.agent.invoke('x')).result;
}

function holdingItself(): object {
  const object: Record<string, unknown> = {};
  return Object.assign(object, { object });
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe('a receipt that a store gives back in another shape', () => {
  it.each([
    ['nothing of an end', { state: 'settled' }],
    ['an end of which nothing is said', { state: 'settled', outcome: {} }],
    ['a success without a result', { state: 'settled', outcome: { ok: true } }],
    ['a result that JSON has no form for', { state: 'settled', outcome: { ok: true, json: 1n } }],
    ['a result that holds itself', { state: 'settled', outcome: { ok: true, json: holdingItself() } }],
    ['a result of very many levels', { state: 'settled', outcome: { ok: true, json: nested(100_000) } }],
    ['a failure without a reason', { state: 'settled', outcome: { ok: false } }],
    [
      'a failure of another kind',
      { state: 'settled', outcome: { ok: false, failure: { code: 5, message: '' } } },
    ],
    ['another state', { state: 'odd' }],
    ['no object', 'settled'],
  ])('(%s) is of a call whose end nobody knows', async (_name, found) => {
    expect(await callWith(found)).toMatchObject({ status: 'error', error: { code: 'TOOL_OUTCOME_UNKNOWN' } });
    expect(await callWith(found, { idempotent: true })).toEqual({ status: 'ok', result: 'written now' });
  });

  it('does not keep one that can be read from being replayed', async () => {
    expect(await callWith({ state: 'settled', at: 5, outcome: { ok: true, json: 'earlier' } })).toEqual({
      status: 'ok',
      result: 'earlier',
    });
  });
});
