import type { JournalEntry } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import type { PlanStep } from '../../src/planning/plan-step.js';
import type { Planner } from '../../src/planning/planner.js';
import { PlannerError } from '../../src/planning/planner-error.js';
import { readSessionState } from '../../src/sessions/record/find-session.js';
import { sessionSnapshot } from '../../src/sessions/journal/snapshot.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

/** A planner that never answers until it is aborted. */
const silentPlanner: Planner = {
  name: 'silent',
  next: (_context, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
};

/** A silent planner, and the signals of its turns. */
function watchedPlanner() {
  const signals: AbortSignal[] = [];
  const planner: Planner = {
    name: 'watched',
    next(context, io) {
      signals.push(io.signal);
      return silentPlanner.next(context, io);
    },
  };
  return { planner, signals };
}

describe('the end of a run', () => {
  it('is a single final with the status cancelled, written after the planner was aborted', async () => {
    const { planner, signals } = watchedPlanner();
    const store = new MemoryRunStore();
    const append = store.append.bind(store);
    const abortedAtEnd: (boolean | undefined)[] = [];
    store.append = (sessionId, given) => {
      if (given.ends) abortedAtEnd.push(signals[0]?.aborted);
      return append(sessionId, given);
    };
    const bench = new SessionBench({ planner, store });
    const id = await bench.start(request('go'));
    await expect.poll(() => signals).toHaveLength(1);
    await bench.cancel(id);
    expect(await bench.final(id)).toMatchObject({
      status: 'cancelled',
      error: 'enough',
      error_info: { code: 'RUN_CANCELLED' },
      responses: [],
    });
    expect((await bench.events(id)).filter(({ name }) => name === 'final')).toHaveLength(1);
    expect(await bench.store.readRun(id)).toMatchObject({ status: 'cancelled' });
    expect(abortedAtEnd).toEqual([true]);
  });

  it('leaves no timer behind', async () => {
    const planner = scriptedPlanner([call(['t-b']), call(['t-b']), finish('ok')]);
    const bench = new SessionBench({ planner });
    const id = await bench.start(request('go', [toolSpec('b')]));
    for (const nth of [1, 2]) await bench.post(id, (await bench.call(id, 'b', nth)).id, nth);
    await bench.final(id);
    await expect.poll(() => bench.manager.activeCount('p')).toBe(0);
    expect(bench.clock.waiting).toBe(0);
  });

  it('has the stop reason blocked when the last step is blocked', async () => {
    const blocked: PlanStep = { type: 'finish', text: 'I cannot.', blocked: true };
    const bench = new SessionBench({ planner: scriptedPlanner([blocked]) });
    expect(await bench.final(await bench.start(request('go')))).toMatchObject({ stop_reason: 'blocked' });
  });

  it('has the result that the planner gave with its answer', async () => {
    const planner = scriptedPlanner([{ type: 'finish', text: 'Two.', result: { count: 2 } }]);
    const bench = new SessionBench({ planner });
    expect(await bench.final(await bench.start(request('go')))).toMatchObject({
      response: 'Two.',
      result: { count: 2 },
    });
  });

  it('is a failure when the key was revoked', async () => {
    const bench = new SessionBench({ planner: silentPlanner });
    const id = await bench.start(request('go'));
    await bench.cancel(id, 'KEY_REVOKED');
    expect(await bench.final(id)).toMatchObject({ status: 'failed', error_info: { code: 'KEY_REVOKED' } });
  });

  it('is a failure with the planner’s error code when the planner fails', async () => {
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

  it('includes the tokens of the failed turn in its usage', async () => {
    const error = new PlannerError('The answer was cut off.', { code: 'PLANNER_LENGTH' });
    error.usage = { input_tokens: 30, output_tokens: 5 };
    const used = { ...call(['look_up']), usage: { input_tokens: 10, output_tokens: 2 } };
    const bench = new SessionBench({ planner: scriptedPlanner([used, () => Promise.reject(error)]) });
    const id = await bench.start(request('go', [toolSpec('look_up')]));
    await bench.post(id, (await bench.call(id, 'look_up')).id, 1);
    const counted = { input_tokens: 40, output_tokens: 7, total_tokens: 47 };
    expect(await bench.final(id)).toMatchObject({ status: 'failed', token_usage: counted });
    const [record, state] = [await bench.store.readRun(id), await readSessionState(bench.store, id)];
    expect(record && sessionSnapshot(record, state, new Map()).token_usage).toMatchObject(counted);
    expect(await bench.metrics.render('p')).toContain('svc_tokens_total{kind="input_tokens"} 40');
  });

  it('does not reveal the message of an unexpected error', async () => {
    const error = new Error('secret internals');
    const bench = new SessionBench({ planner: scriptedPlanner([() => Promise.reject(error)]) });
    const id = await bench.start(request('go'));
    const final = await bench.final(id);
    expect(final).toMatchObject({ status: 'failed', error_info: { code: 'PLANNER_FAILED' } });
    expect(JSON.stringify(final)).not.toContain('secret');
  });

  it('is a failure when the run takes longer than its request allows', async () => {
    const bench = new SessionBench({ planner: silentPlanner });
    const id = await bench.start(request('go', [], { execution_config: { timeout: 20 } }));
    await bench.until(id, ({ payload }) => payload.phase === 'planning');
    await expect.poll(() => bench.clock.waiting).toBeGreaterThan(0);
    bench.clock.advance(20_000);
    expect(await bench.final(id)).toMatchObject({ status: 'failed', error_info: { code: 'RUN_TIMEOUT' } });
  });

  it('is a failure when the planner keeps returning invalid steps', async () => {
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

  it('is a failure when the run reaches the event limit', async () => {
    const bench = new SessionBench({
      planner: scriptedPlanner(() => Array(9).fill(call(['t-b']))),
      maxEvents: 12,
    });
    const id = await bench.start(request('go', [toolSpec('b')]));
    for (let nth = 1; nth <= 3; nth += 1) await bench.post(id, (await bench.call(id, 'b', nth)).id, 1);
    expect(await bench.final(id)).toMatchObject({ status: 'failed', error_info: { code: 'RUN_TOO_LONG' } });
  });
});

it('aborts the planner when the manager closes, and leaves no timer behind', async () => {
  const { planner, signals } = watchedPlanner();
  const bench = new SessionBench({ planner });
  await bench.start(request('go'));
  await expect.poll(() => signals).toHaveLength(1);
  await bench.manager.close();
  expect(signals[0]?.aborted).toBe(true);
  expect(bench.clock.waiting).toBe(0);
});

describe('the text of a step', () => {
  it('is streamed as full snapshots, of which the journal keeps only the last', async () => {
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

  it('is appended to the text of earlier steps', async () => {
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

  it('is neither shown nor part of the answer when its step was rejected', async () => {
    const refused: PlanStep = {
      type: 'call',
      calls: [{ tool_id: 'no_such_tool', args: {} }],
      text: 'Let me guess.',
    };
    let shown: unknown;
    const planner = scriptedPlanner([
      refused,
      async ({ run_id }) => {
        shown = (await bench.events(run_id)).find(({ name }) => name === 'update');
        return finish('Done.');
      },
    ]);
    const bench = new SessionBench({ planner });
    expect(await bench.final(await bench.start(request('go', [toolSpec('b')])))).toMatchObject({
      responses: ['Done.'],
      stop_reason: 'finished',
    });
    expect(shown).toBeUndefined();
  });

  it('is not streamed when the request turns streaming off', async () => {
    const bench = new SessionBench({ planner: scriptedPlanner([finish('Hello')]) });
    const id = await bench.start(request('go', [], { stream_response: false }));
    expect(await bench.final(id)).toMatchObject({ response: 'Hello' });
    expect((await bench.events(id)).filter(({ name }) => name === 'update')).toEqual([]);
  });

  it('is accompanied by status messages when the request asks for them', async () => {
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

describe('token usage', () => {
  it('is the sum of all steps, including rejected ones', async () => {
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

  it('is absent when the planner reports none', async () => {
    const bench = new SessionBench({ planner: scriptedPlanner([{ ...finish('ok'), usage: {} }]) });
    const id = await bench.start(request('go'));
    expect(await bench.final(id)).not.toHaveProperty('token_usage');
  });
});

describe('a store failure', () => {
  it.each<[string, (entry: JournalEntry) => boolean]>([
    ['a step', ({ kind }) => kind === 'step'],
    ['streamed text', ({ slot }) => slot === 'text'],
  ])('while writing %s does not fail the run, which continues from its journal', async (_, isIt) => {
    const store = new MemoryRunStore();
    const append = store.append.bind(store);
    let failures = 1;
    store.append = async (sessionId, given) => {
      if (given.entries.some(isIt) && failures-- > 0) throw new Error('disk full');
      return append(sessionId, given);
    };
    const look: PlanStep = { type: 'call', calls: [{ tool_id: 't-b', args: {} }], text: 'Let me look.' };
    const planner = scriptedPlanner(() => [
      (_context, { onText }) => {
        onText('Let me look.');
        return look;
      },
      finish('ok'),
    ]);
    const bench = new SessionBench({ planner, store });
    await bench.manager.open();
    const id = await bench.start(request('go', [toolSpec('b')]));
    await expect.poll(() => bench.errors).toMatchObject([{ message: 'disk full' }]);
    await expect.poll(() => bench.manager.activeCount('p')).toBe(0);
    bench.clock.advance(5_000);
    await bench.post(id, (await bench.call(id, 'b')).id, 1);
    expect(await bench.final(id)).toMatchObject({ status: 'completed' });
  });
});
