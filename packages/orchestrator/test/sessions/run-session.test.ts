import { expect, it, describe, vi } from 'vitest';
import type { Planner } from '../../src/planning/planner.js';
import { PlannerError } from '../../src/planning/planner-error.js';
import { readSessionState } from '../../src/sessions/find-session.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { needs, request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

const text = { type: 'string' };
const fetchOrder = toolSpec('fetch_order', { id: text });
const charge = toolSpec('charge', { order: needs('fetch_order'), note: text });

/** A planner that never answers until it is aborted. */
const silentPlanner: Planner = {
  name: 'silent',
  next: (_context, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
};

describe('calls', () => {
  it('sends a consumer only after its producer, with the planner’s arguments alone', async () => {
    const planner = scriptedPlanner([
      call(['t-charge', { note: 'n' }], ['t-fetch_order', { id: '1' }]),
      finish('ok'),
    ]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [fetchOrder, charge]));
    const first = await bench.call(id, 'fetch_order');
    expect((await bench.events(id)).filter(({ name }) => name === 'tool_event')).toHaveLength(1);
    await bench.post(id, first.id, { total: 1 });
    const second = await bench.call(id, 'charge');
    expect(second.args).toEqual({ note: 'n' });
    await bench.post(id, second.id, { charged: 1 });
    expect(await bench.final(id)).toMatchObject({ status: 'completed', response: 'ok' });
    expect(planner.contexts[1]?.steps[0]).toMatchObject({
      calls: [{ outcome: { status: 'ok', result: { charged: 1 } } }, { outcome: { result: { total: 1 } } }],
    });
  });

  it('takes no result of a call before it was sent', async () => {
    const planner = scriptedPlanner([call(['t-charge', { note: 'n' }], ['t-fetch_order', { id: '1' }])]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [fetchOrder, charge]));
    const first = await bench.call(id, 'fetch_order');
    const { calls } = await readSessionState(bench.store, id);
    const waiting = [...calls.keys()].find((callId) => callId !== first.id) ?? '';
    expect(await bench.post(id, waiting, 'early')).toEqual({ accepted: false, reason: 'unknown' });
    await bench.post(id, first.id, { total: 1 });
    expect((await bench.call(id, 'charge')).id).toBe(waiting);
    expect(await bench.post(id, waiting, 'in time')).toEqual({ accepted: true });
  });

  it('runs independent calls of a step in parallel', async () => {
    const planner = scriptedPlanner([call(['t-a'], ['t-b'], ['t-a']), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('a'), toolSpec('b')]));
    const calls = [await bench.call(id, 'a', 2), await bench.call(id, 'b'), await bench.call(id, 'a')];
    expect(new Set(calls.map((each) => each.id)).size).toBe(3);
    for (const each of calls) await bench.post(id, each.id, 1);
    expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  });

  it('does not run what needs a failed call, and runs the rest', async () => {
    const planner = scriptedPlanner([
      call(['t-fetch_order', { id: '1' }], ['t-charge', { note: 'n' }], ['t-b']),
      finish('sorry'),
    ]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [fetchOrder, charge, toolSpec('b')]));
    const { id: fetchId } = await bench.call(id, 'fetch_order');
    await bench.postError(id, fetchId, { code: 'NOT_FOUND', message: 'no order 1' });
    await bench.post(id, (await bench.call(id, 'b')).id, 'fine');
    expect(await bench.final(id)).toMatchObject({ status: 'completed' });
    expect(planner.contexts[1]?.steps[0]).toMatchObject({
      calls: [
        { outcome: { status: 'error', error: { code: 'NOT_FOUND', message: 'no order 1' } } },
        { outcome: { status: 'error', error: { code: 'TOOL_SKIPPED' } } },
        { outcome: { status: 'ok', result: 'fine' } },
      ],
    });
    expect((await bench.events(id)).filter(({ name }) => name === 'tool_event')).toHaveLength(2);
  });

  it('gives up a call whose client never answers, and answers a late result as late', async () => {
    const planner = scriptedPlanner([call(['t-b']), finish('gave up')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    const { id: callId } = await bench.call(id, 'b');
    await vi.waitFor(() => expect(bench.clock.waiting).toBeGreaterThan(0));
    bench.clock.advance(59_999);
    expect(await bench.post('sess_1', 'nothing', 1)).toEqual({ accepted: false, reason: 'unknown' });
    bench.clock.advance(1);
    expect(await bench.final(id)).toMatchObject({ status: 'completed', response: 'gave up' });
    expect(planner.contexts[1]?.steps[0]).toMatchObject({
      calls: [{ outcome: { error: { code: 'TOOL_TIMEOUT', retryable: true } } }],
    });
    expect(await bench.post(id, callId, 'late')).toEqual({ accepted: false, reason: 'late' });
  });

  it('takes the first result of a call and answers another as a duplicate', async () => {
    const planner = scriptedPlanner([call(['t-a'], ['t-b']), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('a'), toolSpec('b')]));
    const [a, b] = [await bench.call(id, 'a'), await bench.call(id, 'b')];
    expect(await bench.post(id, a.id, 'first')).toEqual({ accepted: true });
    expect(await bench.post(id, a.id, 'second')).toEqual({ accepted: false, reason: 'duplicate' });
    await bench.post(id, b.id, 'done');
    await bench.final(id);
    expect(planner.contexts[1]?.steps[0]).toMatchObject({ calls: [{ outcome: { result: 'first' } }, {}] });
    expect(await bench.post(id, a.id, 'third')).toEqual({ accepted: false, reason: 'duplicate' });
  });

  it.each([
    [
      'a text that begins with error:',
      'ERROR: no such order',
      { code: 'TOOL_FAILED', message: 'no such order' },
    ],
    ['an object with an error', { error: 'broken' }, { code: 'TOOL_FAILED', message: 'broken' }],
    [
      'an object with an error object',
      { error: { message: 'deep' } },
      { code: 'TOOL_FAILED', message: 'deep' },
    ],
  ])('reads %s of an original client as a failure', async (_, posted, error) => {
    const planner = scriptedPlanner([call(['t-b']), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    await bench.postPlain(id, (await bench.call(id, 'b')).id, posted);
    await bench.final(id);
    expect(planner.contexts[1]?.steps[0]).toMatchObject({ calls: [{ outcome: { status: 'error', error } }] });
  });

  it('takes the same text with a status as what it is', async () => {
    const planner = scriptedPlanner([call(['t-b']), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    await bench.post(id, (await bench.call(id, 'b')).id, 'error: is only a word');
    await bench.final(id);
    expect(planner.contexts[1]?.steps[0]).toMatchObject({
      calls: [{ outcome: { result: 'error: is only a word' } }],
    });
  });
});

describe('the end of a run', () => {
  it('is one final that says cancelled, and the planner is aborted', async () => {
    const bench = new SessionBench({ planner: silentPlanner });
    const id = await bench.start(request('go'));
    await bench.until(id, ({ payload }) => payload.phase === 'planning');
    await bench.cancel(id);
    expect(await bench.final(id)).toMatchObject({
      status: 'cancelled',
      error: 'enough',
      error_info: { code: 'RUN_CANCELLED' },
      responses: [],
    });
    expect((await bench.events(id)).filter(({ name }) => name === 'final')).toHaveLength(1);
    expect(await bench.store.readRun(id)).toMatchObject({ status: 'cancelled' });
  });

  it('is a failure when the key was revoked', async () => {
    const bench = new SessionBench({ planner: silentPlanner });
    const id = await bench.start(request('go'));
    await bench.cancel(id, 'KEY_REVOKED');
    expect(await bench.final(id)).toMatchObject({ status: 'failed', error_info: { code: 'KEY_REVOKED' } });
  });

  it('is a failure when the planner fails, with its code', async () => {
    const error = new PlannerError('The model is out.', { code: 'PLANNER_UNAVAILABLE' });
    const bench = new SessionBench({ planner: scriptedPlanner([() => Promise.reject(error)]) });
    const id = await bench.start(request('go'));
    expect(await bench.final(id)).toMatchObject({
      status: 'failed',
      error: 'The model is out.',
      error_info: { code: 'PLANNER_UNAVAILABLE', message: 'The model is out.' },
      result: null,
    });
  });

  it('says nothing of an unexpected error', async () => {
    const error = new Error('secret internals');
    const bench = new SessionBench({ planner: scriptedPlanner([() => Promise.reject(error)]) });
    const id = await bench.start(request('go'));
    const final = await bench.final(id);
    expect(final).toMatchObject({ status: 'failed', error_info: { code: 'PLANNER_FAILED' } });
    expect(JSON.stringify(final)).not.toContain('secret');
  });

  it('comes when the run takes longer than its request allows', async () => {
    const bench = new SessionBench({ planner: silentPlanner });
    const id = await bench.start(request('go', [], { execution_config: { timeout: 20 } }));
    await bench.until(id, ({ payload }) => payload.phase === 'planning');
    await vi.waitFor(() => expect(bench.clock.waiting).toBeGreaterThan(0));
    bench.clock.advance(20_000);
    expect(await bench.final(id)).toMatchObject({ status: 'failed', error_info: { code: 'RUN_TIMEOUT' } });
  });

  it('comes when the planner breaks the rules again and again', async () => {
    const wrong = call(['no_such_tool']);
    const planner = scriptedPlanner([wrong, wrong, wrong]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    expect(await bench.final(id)).toMatchObject({
      status: 'failed',
      error_info: { code: 'PLANNER_INVALID_STEP' },
    });
    expect(planner.contexts[2]?.steps).toMatchObject([{ type: 'feedback' }, { type: 'feedback' }]);
  });

  it('comes when a run says more than the limit', async () => {
    const bench = new SessionBench({
      planner: scriptedPlanner(() => Array(9).fill(call(['t-b']))),
      maxEvents: 12,
    });
    const id = await bench.start(request('go', [toolSpec('b')]));
    for (let nth = 1; nth <= 3; nth += 1) await bench.post(id, (await bench.call(id, 'b', nth)).id, 1);
    expect(await bench.final(id)).toMatchObject({ status: 'failed', error_info: { code: 'RUN_TOO_LONG' } });
  });
});

describe('text', () => {
  it('is sent as it grows, each time whole, and the history keeps the last one', async () => {
    const gate = Promise.withResolvers<void>();
    const planner = scriptedPlanner([
      async (_context, { onText }) => {
        onText('Hel');
        await gate.promise;
        onText('lo');
        return { type: 'finish', text: 'Hello' };
      },
    ]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go'));
    const seen: string[] = [];
    const first = await bench.until(id, ({ name }) => name === 'update');
    seen.push(first.payload.streaming_content);
    gate.resolve();
    await bench.final(id);
    const updates = (await bench.events(id)).filter(({ name }) => name === 'update');
    expect(seen).toEqual(['Hel']);
    expect(updates.map(({ payload }) => payload)).toEqual([
      { streaming_content: 'Hello', assistant_id: 'assistant' },
    ]);
  });

  it('goes on after what was said before', async () => {
    const planner = scriptedPlanner([
      { type: 'call', calls: [{ tool_id: 't-b', args: {} }], text: 'Let me look.' },
      finish('Done.'),
    ]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    await bench.post(id, (await bench.call(id, 'b')).id, 1);
    expect(await bench.final(id)).toMatchObject({ responses: ['Let me look.', 'Done.'], response: 'Done.' });
    const updates = (await bench.events(id)).filter(({ name }) => name === 'update');
    expect(updates.at(-1)?.payload.streaming_content).toBe('Let me look.\n\nDone.');
  });

  it('is not streamed when the request does not want it', async () => {
    const bench = new SessionBench({ planner: scriptedPlanner([finish('Hello')]) });
    const id = await bench.start(request('go', [], { stream_response: false }));
    expect(await bench.final(id)).toMatchObject({ response: 'Hello' });
    expect((await bench.events(id)).filter(({ name }) => name === 'update')).toEqual([]);
  });

  it('comes with status messages when they are asked for', async () => {
    const planner = scriptedPlanner(() => [call(['t-b']), finish('Hello')]);
    const bench = new SessionBench({ planner });
    const statuses = async (wanted: boolean) => {
      const id = await bench.start(request('go', [toolSpec('b')], { status_messages: wanted }));
      await bench.post(id, (await bench.call(id, 'b')).id, 1);
      await bench.final(id);
      return (await bench.events(id))
        .filter(({ name }) => name === 'status_message')
        .map(({ payload }) => payload.message);
    };
    expect(await statuses(false)).toEqual([]);
    expect(await statuses(true)).toEqual(['Planning...', 'Running b...', 'Planning the next step...']);
  });
});

describe('usage', () => {
  it('is the sum of all steps, refused ones included', async () => {
    const usage = { input_tokens: 10, output_tokens: 2, reasoning_tokens: 1 };
    const planner = scriptedPlanner([
      { ...call(['nope']), usage },
      { ...finish('ok'), usage },
    ]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    expect(await bench.final(id)).toMatchObject({
      token_usage: {
        total_tokens: 24,
        input_tokens: 20,
        output_tokens: 4,
        reasoning_tokens: 2,
        cache_read_tokens: 0,
      },
    });
  });
});

describe('a store that fails', () => {
  it('is no failure of the run: it goes on where its journal ends', async () => {
    const store = new MemoryRunStore();
    const append = store.append.bind(store);
    let failures = 1;
    store.append = async (sessionId, given) => {
      if (given.entries.some(({ kind }) => kind === 'step') && failures-- > 0) throw new Error('disk full');
      return append(sessionId, given);
    };
    const bench = new SessionBench({ planner: scriptedPlanner(() => [call(['t-b']), finish('ok')]), store });
    await bench.manager.open();
    const id = await bench.start(request('go', [toolSpec('b')]));
    await expect.poll(() => bench.errors).toMatchObject([{ message: 'disk full' }]);
    await expect.poll(() => bench.manager.activeCount('p')).toBe(0);
    bench.clock.advance(5_000);
    await bench.post(id, (await bench.call(id, 'b')).id, 1);
    expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  });
});
