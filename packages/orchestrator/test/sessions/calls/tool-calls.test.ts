import { describe, expect, it } from 'vitest';
import { readSessionState } from '../../../src/sessions/record/find-session.js';
import { needs, request, toolSpec } from '../../support/requests.js';
import { call, finish, scriptedPlanner } from '../../support/scripted-planner.js';
import { SessionBench } from '../../support/session-bench.js';

const text = { type: 'string' };
const fetchOrder = toolSpec('fetch_order', { id: text });
const charge = toolSpec('charge', { order: needs('fetch_order'), note: text });

describe('a run', () => {
  it('sends a consumer only after its producer, with only the planner’s arguments', async () => {
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

  it('refuses the result of a call that has not been sent yet', async () => {
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

  it('announces the calls as they are sent: a status message each time, a phase once per step', async () => {
    const member = toolSpec('researcher', {}, { tool_type: 'agent', metadata: { target_agent_id: 'ag-1' } });
    const planner = scriptedPlanner([
      call(['t-charge', { note: 'n' }], ['t-fetch_order', { id: '1' }]),
      call(['t-researcher']),
      call(['t-researcher'], ['t-fetch_order', { id: '2' }]),
      finish('ok'),
    ]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [fetchOrder, charge, member], { status_messages: true }));
    for (const [name, nth] of [
      ['fetch_order'],
      ['charge'],
      ['researcher'],
      ['researcher', 2],
      ['fetch_order', 2],
    ] as const)
      await bench.post(id, (await bench.call(id, name, nth)).id, {});
    await bench.final(id);
    const events = await bench.events(id);
    const payloads = (wanted: string) =>
      events.filter(({ name }) => name === wanted).map(({ payload }) => payload);
    expect(payloads('status_message').map(({ message }) => message)).toEqual([
      'Planning...',
      'Running fetch_order...',
      'Running charge...',
      'Planning the next step...',
      'Running researcher...',
      'Planning the next step...',
      'Running researcher, fetch_order...',
      'Planning the next step...',
    ]);
    expect(
      payloads('enrichment')
        .filter(({ phase }) => String(phase).startsWith('executing'))
        .map(({ phase, message }) => [phase, message]),
    ).toEqual([
      ['executing_actions', 'Running fetch_order'],
      ['executing_assignments', 'Running researcher'],
      ['executing_actions', 'Running researcher, fetch_order'],
    ]);
  });

  it('says which arguments of a call the client fills with private data, without their values', async () => {
    const card = toolSpec('pay', { card: { type: 'data_dependency', data_key: 'visa' }, amount: text });
    const planner = scriptedPlanner([call(['t-pay', { amount: '5' }], ['t-b']), finish('ok')]);
    const bench = new SessionBench({ planner });
    const state = { private_data: { visa: '4111111111111111' } };
    const id = await bench.start(request('go', [card, toolSpec('b')], state));
    const { tool_call, ...injected } = (await bench.call(id, 'pay')).value;
    expect(injected).toEqual({ private_data_injected: ['card'] });
    expect(tool_call).toMatchObject({ args: { amount: '5' } });
    expect(Object.keys((await bench.call(id, 'b')).value)).toEqual(['tool_call']);
  });

  it('skips calls that need a failed call and runs the rest', async () => {
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

  it('expires a call that the client never answers, and refuses its result as late', async () => {
    const planner = scriptedPlanner([call(['t-b']), finish('gave up')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    const { id: callId } = await bench.call(id, 'b');
    await expect.poll(() => bench.clock.waiting).toBeGreaterThan(0);
    bench.clock.advance(59_999);
    expect(await bench.post('sess_1', 'nothing', 1)).toEqual({ accepted: false, reason: 'unknown' });
    bench.clock.advance(1);
    expect(await bench.final(id)).toMatchObject({ status: 'completed', response: 'gave up' });
    expect(planner.contexts[1]?.steps[0]).toMatchObject({
      calls: [{ outcome: { error: { code: 'TOOL_TIMEOUT', retryable: true } } }],
    });
    expect(await bench.post(id, callId, 'late')).toEqual({ accepted: false, reason: 'late' });
  });

  it('accepts the first result of a call and refuses another as a duplicate', async () => {
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
      'a string that begins with "error:"',
      'ERROR: no such order',
      { code: 'TOOL_FAILED', message: 'no such order' },
    ],
    ['an object with an error string', { error: 'broken' }, { code: 'TOOL_FAILED', message: 'broken' }],
    [
      'an object with an error object',
      { error: { message: 'deep' } },
      { code: 'TOOL_FAILED', message: 'deep' },
    ],
  ])('reads %s from an original client as a failure', async (_, posted, error) => {
    const planner = scriptedPlanner([call(['t-b']), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    await bench.postPlain(id, (await bench.call(id, 'b')).id, posted);
    await bench.final(id);
    expect(planner.contexts[1]?.steps[0]).toMatchObject({ calls: [{ outcome: { status: 'error', error } }] });
  });

  it('takes a string that begins with "error:" literally when it comes with a status', async () => {
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
