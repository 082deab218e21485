import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryReceiptStore } from '../../src/tools/receipts/receipts.js';
import { startAgent } from '../agent-setup.js';

/** The result of calling a writing tool for which the caller's own receipt store returns `found`. */
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

function circularObject(): object {
  const object: Record<string, unknown> = {};
  return Object.assign(object, { object });
}

function nested(levels: number): unknown {
  // Newer versions of V8 serialize plain data of any depth; a date makes them recurse too.
  let value: unknown = new Date(0);
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe('a receipt in an unexpected shape', () => {
  it.each([
    ['no outcome', { state: 'settled' }],
    ['an empty outcome', { state: 'settled', outcome: {} }],
    ['a success without a result', { state: 'settled', outcome: { ok: true } }],
    ['a result that JSON cannot represent', { state: 'settled', outcome: { ok: true, json: 1n } }],
    ['a circular result', { state: 'settled', outcome: { ok: true, json: circularObject() } }],
    ['a deeply nested result', { state: 'settled', outcome: { ok: true, json: nested(100_000) } }],
    ['a failure without details', { state: 'settled', outcome: { ok: false } }],
    [
      'a failure with invalid details',
      { state: 'settled', outcome: { ok: false, failure: { code: 5, message: '' } } },
    ],
    ['an unknown state', { state: 'odd' }],
    ['a string instead of an object', 'settled'],
  ])('with %s leaves the outcome unknown, and only an idempotent call runs again', async (_name, found) => {
    expect(await callWith(found)).toMatchObject({
      status: 'error',
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    });
    expect(await callWith(found, { idempotent: true })).toEqual({ status: 'ok', result: 'written now' });
  });

  it('that throws when it is read counts as a failure of its store', async () => {
    const found = {
      get state() {
        throw new Error('no disk');
      },
    };
    expect(await callWith(found)).toMatchObject({
      status: 'error',
      error: { code: 'TOOL_RECEIPT_UNAVAILABLE', retryable: true },
    });
  });

  it('is still replayed if its outcome can be read', async () => {
    expect(await callWith({ state: 'settled', at: 5, outcome: { ok: true, json: 'earlier' } })).toEqual({
      status: 'ok',
      result: 'earlier',
    });
  });
});

describe('a receipt store that does not respond', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const unavailable = { status: 'error', error: { code: 'TOOL_RECEIPT_UNAVAILABLE', retryable: true } };
  it.each([
    ['find', 'keeps the tool from running', unavailable, 0],
    ['begin', 'keeps the tool from running', unavailable, 0],
    ['settle', 'does not hold back the result', { status: 'ok', result: 'written' }, 1],
  ] as const)('to %s() %s', async (method, _effect, result, runs) => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const hang = async () => {
      ask();
      return new Promise<never>(() => {});
    };
    await using setup = await startAgent(
      async (session) => session.finish({ result: await session.callTool('t') }),
      { receipts: { ...memoryReceiptStore(), [method]: hang } },
    );
    const write = vi.fn(() => 'written');
    setup.agent.toolify({ name: 't', description: 't', permissions: ['write'] }, write);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = setup.agent.invoke('x');
    await asked;
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    expect((await running).result).toMatchObject(result);
    expect(write).toHaveBeenCalledTimes(runs);
  });
});
