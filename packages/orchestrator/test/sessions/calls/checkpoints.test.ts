import { describe, expect, it } from 'vitest';
import { request, toolSpec } from '../../support/requests.js';
import { call, finish, scriptedPlanner } from '../../support/scripted-planner.js';
import { SessionBench } from '../../support/session-bench.js';

const approval = {
  type: 'interrupt_dependency',
  data_key: 'approve',
  prompt: 'Pay?',
  collected_by: 'orchestrator',
};
const pay = toolSpec('pay', {
  amount: { type: 'number' },
  approve: { ...approval, input_type: 'boolean' },
});
const ask = (...questions: object[]) => ({ type: 'ask', questions }) as never;
const question = { question_id: 'city', prompt: 'Which city?', input_type: 'text' };

describe('a question from the planner', () => {
  it('is asked and answered, and the same session continues', async () => {
    const planner = scriptedPlanner([ask(question), finish('Rain in Kiel')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('weather?'));
    const asked = await bench.interrupt(id, 'city');
    expect(asked).not.toHaveProperty('assignment_id');
    expect(asked).toMatchObject({ prompt: 'Which city?', input_type: 'text', arg_name: 'city' });
    await bench.answer(asked.checkpoint_id, { city: 'Kiel' });
    expect(await bench.final(id)).toMatchObject({ status: 'completed', response: 'Rain in Kiel' });
    expect(planner.contexts[1]?.steps).toMatchObject([{ type: 'ask', answers: { city: 'Kiel' } }]);
  });

  it('is asked again when a later step repeats it, and each step gets its own answer', async () => {
    const planner = scriptedPlanner([ask(question), ask(question), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go'));
    await bench.answer((await bench.interrupt(id, 'city')).checkpoint_id, { city: 'Kiel' });
    await bench.answer((await bench.interrupt(id, 'city_2')).checkpoint_id, { city_2: 'Bonn' });
    await bench.final(id);
    expect(planner.contexts[2]?.steps).toMatchObject([
      { answers: { city: 'Kiel' } },
      { answers: { city: 'Bonn' } },
    ]);
  });

  it('delays planning until all questions of the step are answered; an empty answer declines one', async () => {
    const second = { question_id: 'day', prompt: 'When?', input_type: 'choice', choices: ['Today', 'Later'] };
    const planner = scriptedPlanner([ask(question, second), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('weather?'));
    const [city, day] = [await bench.interrupt(id, 'city'), await bench.interrupt(id, 'day')];
    await bench.answer(city.checkpoint_id, { city: '' });
    expect(planner.contexts).toHaveLength(1);
    await bench.answer(day.checkpoint_id, { day: 'today' });
    await bench.final(id);
    expect(planner.contexts[1]?.steps).toMatchObject([{ answers: { city: null, day: 'Today' } }]);
  });

  it('says which tool and argument it is for, and its answer is bound to that tool', async () => {
    const forTool = (tool_id: string) => ask({ ...question, tool_id, arg_name: 'place' });
    const planner = scriptedPlanner([ask(question), forTool('t-a'), forTool('t-b'), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('weather?', [toolSpec('a'), toolSpec('b')]));
    const asked = [];
    for (const key of ['city', 'city_2', 'city_3']) {
      const checkpoint = await bench.interrupt(id, key);
      await bench.answer(checkpoint.checkpoint_id, { [key]: 'Kiel' });
      asked.push(checkpoint);
    }
    expect(asked.map(({ tool_name, arg_name }) => [tool_name, arg_name])).toEqual([
      [undefined, 'city'],
      ['a', 'place'],
      ['b', 'place'],
    ]);
    expect(new Set(asked.map(({ args_digest }) => args_digest)).size).toBe(3);
  });

  it('is not answered by an inherited property such as `constructor`', async () => {
    const planner = scriptedPlanner([ask({ ...question, question_id: 'constructor' }), finish('ok')]);
    const bench = new SessionBench({ planner });
    const { checkpoint_id } = await bench.interrupt(await bench.start(request('go')), 'constructor');
    await expect(bench.answer(checkpoint_id, {})).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
  });

  it('is answered with null when it expires, and cannot be answered later', async () => {
    const planner = scriptedPlanner([ask(question), finish('no city')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('weather?'));
    const { checkpoint_id, expires_at } = await bench.interrupt(id, 'city');
    expect(expires_at).toBe('2026-01-01T00:10:00.000Z');
    await expect.poll(() => bench.clock.waiting).toBeGreaterThan(0);
    bench.clock.advance(600_000);
    expect(await bench.final(id)).toMatchObject({ response: 'no city' });
    expect(planner.contexts[1]?.steps).toMatchObject([{ answers: { city: null } }]);
    await expect(bench.answer(checkpoint_id, { city: 'Kiel' })).rejects.toMatchObject({
      code: 'CHECKPOINT_EXPIRED',
    });
  });

  it('cannot be answered after it has expired, even while no process works on the run', async () => {
    const bench = new SessionBench({ planner: scriptedPlanner([ask(question), finish('no city')]) });
    const id = await bench.start(request('weather?'));
    const { checkpoint_id } = await bench.interrupt(id, 'city');
    await bench.manager.close();
    bench.clock.advance(600_000);
    await expect(bench.answer(checkpoint_id, { city: 'Kiel' })).rejects.toMatchObject({
      code: 'CHECKPOINT_EXPIRED',
    });
  });

  it('does not use up the timeout of the run while it is open', async () => {
    const planner = scriptedPlanner([ask(question), call(['t-b']), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')], { execution_config: { timeout: 30 } }));
    const { checkpoint_id } = await bench.interrupt(id, 'city');
    await expect.poll(() => bench.clock.waiting).toBeGreaterThan(0);
    bench.clock.advance(500_000);
    await bench.answer(checkpoint_id, { city: 'Kiel' });
    const { id: callId } = await bench.call(id, 'b');
    bench.clock.advance(29_999);
    await bench.post(id, callId, 1);
    expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  });
});

describe('an answer that a call needs', () => {
  it('is asked for before the call and sent with it', async () => {
    const planner = scriptedPlanner([call(['t-pay', { amount: 5 }]), finish('paid')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('pay', [pay]));
    const asked = await bench.interrupt(id, 'approve');
    expect(asked).toMatchObject({ prompt: 'Pay?', tool_name: 'pay', input_type: 'boolean' });
    expect(asked.args_digest).toMatch(/^[0-9a-f]{64}$/);
    expect((await bench.events(id)).some(({ name }) => name === 'tool_event')).toBe(false);
    await bench.answer(asked.checkpoint_id, { approve: 'yes' }, asked.args_digest);
    const { id: callId, args, value } = await bench.call(id, 'pay');
    expect(asked.assignment_id).toBe(callId);
    expect(args).toEqual({ amount: 5, approve: true });
    expect(value['interrupt_data_injected']).toEqual(['approve']);
    await bench.post(id, callId, 'ok');
    expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  });

  it('is asked for before the call is announced, while calls that need none are', async () => {
    const planner = scriptedPlanner([call(['t-pay', { amount: 5 }], ['t-b']), finish('paid')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('pay', [pay, toolSpec('b')], { status_messages: true }));
    const announced = async () =>
      (await bench.events(id))
        .filter(({ name }) => name === 'status_message')
        .map(({ payload }) => payload.message);
    const asked = await bench.interrupt(id, 'approve');
    await bench.post(id, (await bench.call(id, 'b')).id, 1);
    expect(await announced()).toEqual(['Planning...', 'Running b...']);
    await bench.answer(asked.checkpoint_id, { approve: 'yes' }, asked.args_digest);
    await bench.call(id, 'pay');
    expect(await announced()).toEqual(['Planning...', 'Running b...', 'Running pay...']);
  });

  it('is asked for separately for each argument', async () => {
    const approve = { ...approval, input_type: 'boolean' };
    const tool = toolSpec('pay', {
      approve,
      reason: { ...approval, data_key: 'reason', input_type: 'text' },
    });
    const bench = new SessionBench({ planner: scriptedPlanner([call(['t-pay']), finish('paid')]) });
    const id = await bench.start(request('pay', [tool]));
    const [first, second] = [await bench.interrupt(id, 'approve'), await bench.interrupt(id, 'reason')];
    await bench.answer(first.checkpoint_id, { approve: true });
    await bench.answer(second.checkpoint_id, { reason: 'a gift' });
    expect((await bench.call(id, 'pay')).args).toEqual({ approve: true, reason: 'a gift' });
  });

  it('cannot approve another call: every call asks under its own key', async () => {
    const planner = scriptedPlanner([
      call(['t-pay', { amount: 5 }], ['t-pay', { amount: 500 }]),
      finish('paid'),
    ]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('pay', [pay]));
    const [small, large] = [await bench.interrupt(id, 'approve'), await bench.interrupt(id, 'approve_2')];
    expect(small.args_digest).not.toBe(large.args_digest);
    await expect(
      bench.answer(large.checkpoint_id, { approve_2: true }, small.args_digest),
    ).rejects.toMatchObject({
      code: 'CHECKPOINT_MISMATCH',
    });
    await bench.answer(small.checkpoint_id, { approve: true });
    const { id: callId, args } = await bench.call(id, 'pay');
    expect(args).toMatchObject({ amount: 5 });
    await bench.post(id, callId, 1);
    expect((await bench.events(id)).filter(({ name }) => name === 'tool_event')).toHaveLength(1);
    await bench.answer(large.checkpoint_id, { approve_2: '' });
    await bench.final(id);
    expect(planner.contexts[1]?.steps[0]).toMatchObject({
      calls: [{ outcome: { status: 'ok' } }, { outcome: { error: { code: 'INTERRUPT_DECLINED' } } }],
    });
  });

  it.each([
    ['choice', 'huge', 'large', 'large'],
    ['literal', 'huge', 'large', 'large'],
    ['number', 'many', '5', 5],
    ['boolean', 'perhaps', 'yes', true],
  ])('is asked for by name when the tool has no prompt for it, and must be a valid %s', async (...given) => {
    const [input_type, wrong, right, sent] = given;
    const choices = ['choice', 'literal'].includes(input_type) ? { choices: ['small', 'large'] } : {};
    const size = { ...approval, data_key: 'size', prompt: '', input_type, ...choices };
    const bench = new SessionBench({ planner: scriptedPlanner([call(['t-pack']), finish('packed')]) });
    const id = await bench.start(request('pack', [toolSpec('pack', { size })]));
    const asked = await bench.interrupt(id, 'size');
    expect(asked).toMatchObject({ prompt: 'pack needs size.', ...choices });
    const refused = bench.answer(asked.checkpoint_id, { size: wrong });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
    await bench.answer(asked.checkpoint_id, { size: right });
    expect((await bench.call(id, 'pack')).args).toEqual({ size: sent });
  });

  it('is free text when a choice has no choices', async () => {
    const size = { ...approval, data_key: 'size', input_type: 'choice' };
    const bench = new SessionBench({ planner: scriptedPlanner([call(['t-pack']), finish('packed')]) });
    const id = await bench.start(request('pack', [toolSpec('pack', { size })]));
    await bench.answer((await bench.interrupt(id, 'size')).checkpoint_id, { size: 'huge' });
    expect((await bench.call(id, 'pack')).args).toEqual({ size: 'huge' });
  });

  it.each([
    ['it is a password', { input_type: 'password' }],
    ['the tool does not say who collects it', { input_type: 'text', collected_by: undefined }],
  ])('is collected by the client when %s', async (_, given) => {
    const secret = { ...approval, data_key: 'pin', ...given };
    const planner = scriptedPlanner([call(['t-login', {}]), finish('in')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('log in', [toolSpec('login', { pin: secret })]));
    const { id: callId, args } = await bench.call(id, 'login');
    expect(args).toEqual({});
    expect((await bench.events(id)).some(({ name }) => name === 'interrupt_required')).toBe(false);
    await bench.post(id, callId, 'ok');
    await bench.final(id);
  });

  it('is accepted once when several arrive at the same time; the same answer again succeeds', async () => {
    const bench = new SessionBench({ planner: scriptedPlanner([ask(question), finish('ok')]) });
    const id = await bench.start(request('go'));
    const { checkpoint_id } = await bench.interrupt(id, 'city');
    const given = ['Kiel', 'Bonn', 'Kiel'].map((city) => bench.answer(checkpoint_id, { city }));
    const [first, other, same] = await Promise.allSettled(given);
    expect([first?.status, same?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'CHECKPOINT_ANSWERED' } });
  });

  it('is accepted once: the same answer again succeeds, a different one is refused', async () => {
    const planner = scriptedPlanner([call(['t-pay', { amount: 5 }]), finish('paid')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('pay', [pay]));
    const { checkpoint_id } = await bench.interrupt(id, 'approve');
    await bench.answer(checkpoint_id, { approve: true });
    await bench.answer(checkpoint_id, { approve: 'true' });
    await expect(bench.answer(checkpoint_id, { approve: false })).rejects.toMatchObject({
      code: 'CHECKPOINT_ANSWERED',
    });
  });

  it.each([
    ['the wrong type', { approve: 'perhaps' }],
    ['another key', { other: true }],
  ])('is refused with %s, and the question stays open', async (_, data) => {
    const bench = new SessionBench({
      planner: scriptedPlanner([call(['t-pay', { amount: 5 }]), finish('paid')]),
    });
    const id = await bench.start(request('pay', [pay]));
    const { checkpoint_id } = await bench.interrupt(id, 'approve');
    await expect(bench.answer(checkpoint_id, data)).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
    await bench.answer(checkpoint_id, { approve: true });
    await bench.call(id, 'pay');
  });

  it('is refused after the run has ended and for an unknown checkpoint', async () => {
    const bench = new SessionBench({ planner: scriptedPlanner([call(['t-pay', { amount: 5 }])]) });
    const id = await bench.start(request('pay', [pay]));
    const { checkpoint_id } = await bench.interrupt(id, 'approve');
    await expect(bench.answer(`${id}.nothing`, { approve: true })).rejects.toMatchObject({
      code: 'CHECKPOINT_NOT_FOUND',
    });
    await bench.cancel(id);
    await bench.final(id);
    await expect(bench.answer(checkpoint_id, { approve: true })).rejects.toMatchObject({ code: 'RUN_ENDED' });
  });
});
