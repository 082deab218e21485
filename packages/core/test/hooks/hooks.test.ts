import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import type { Hook, HookExecutionMode, HookPayload } from '../../src/hooks/hook.js';
import type { LogRecord } from '../../src/logging/log-record.js';
import { configureLogging } from '../../src/logging/logger.js';
import { HOOK_TIMEOUT_MS, runHooks } from '../../src/hooks/run-hooks.js';
import { systemRuntime } from '../../src/runtime.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { startScriptedOrchestrator } from '../../src/testing/scripted-orchestrator.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { collect, startAgent } from '../agent-setup.js';

const callTwice = async (session: ScriptedSession): Promise<void> => {
  if (session.state.swarm_config?.invocation_intent) {
    await session.callTool('member', { prompt: 'p' });
    return session.finish();
  }
  await session.callTool('t');
  await session.callTool('t');
  session.finish();
};

/** Runs a swarm of one member with one tool, each with hooks; returns what ran and the hook events. */
async function runSwarm(modes: { swarm: HookExecutionMode; agent: HookExecutionMode }) {
  await using orchestrator = await startScriptedOrchestrator(callTwice);
  const client = orchestrator.client();
  const trace: string[] = [];
  const noting = (who: string): { beforeExecute: Hook; afterExecute: Hook } => ({
    beforeExecute: () => void trace.push(`${who}+`),
    afterExecute: () => void trace.push(`${who}-`),
  });
  const agent = new Agent({ name: 'member', client, hookExecutionMode: modes.agent, ...noting('A') });
  agent.toolify({ name: 't', description: 't', ...noting('T') }, () => void trace.push('run'));
  const swarm = new Swarm({ name: 'desk', agents: [agent], hookExecutionMode: modes.swarm, ...noting('S') });
  const events = await collect(swarm.stream('x'));
  const fired = events.filter(({ name }) => name === 'hook_fired').map(({ payload }) => payload);
  await swarm.close();
  return { trace: trace.join(' '), fired };
}

describe('hooks run from the outside in before a call and back out after it', () => {
  const perCall = 'T+ run T-';
  it.each<[HookExecutionMode, HookExecutionMode, string]>([
    ['tool', 'tool', 'S+ A+ T+ run T- A- S- S+ A+ T+ run T- A- S-'],
    ['scope', 'tool', 'S+ A+ T+ run T- A- A+ T+ run T- A- S-'],
    ['agent', 'tool', 'S+ A+ T+ run T- A- A+ T+ run T- A- S-'],
    ['tool', 'scope', 'A+ S+ T+ run T- S- S+ T+ run T- S- A-'],
    ['tool', 'agent', 'A+ S+ T+ run T- S- S+ T+ run T- S- A-'],
    ['scope', 'scope', `S+ A+ ${perCall} ${perCall} A- S-`],
    ['scope', 'agent', `S+ A+ ${perCall} ${perCall} A- S-`],
    ['agent', 'scope', `S+ A+ ${perCall} ${perCall} A- S-`],
    ['agent', 'agent', `S+ A+ ${perCall} ${perCall} A- S-`],
  ])('in mode %s of the swarm and mode %s of the agent', async (swarm, agent, trace) => {
    expect((await runSwarm({ swarm, agent })).trace).toBe(trace);
  });

  it('and each emits an event that describes its target', async () => {
    const { fired } = await runSwarm({ swarm: 'tool', agent: 'tool' });
    expect(fired).toHaveLength(12);
    const [first, last] = [fired.at(0), fired.at(-1)];
    expect(first).toMatchObject({
      contract_version: 'v1',
      event_name: 'hook_fired',
      event_kind: 'hook',
      name: 'beforeExecute',
      stage: 'before',
      status: 'completed',
      error: null,
      elapsed_ms: expect.any(Number),
      target_type: 'tool',
      target_name: 't',
      source: 'swarm',
    });
    expect(Object.keys(Object(first?.['hook']))).toHaveLength(9);
    expect(first?.['target_id']).not.toBe(last?.['target_id']);
  });

  it('and target the scope if they run once per run', async () => {
    const { fired } = await runSwarm({ swarm: 'scope', agent: 'scope' });
    const targets = fired.map((payload) => [payload['target_type'], payload['target_id'], payload['stage']]);
    expect(targets[0]).toEqual(['swarm', 'desk', 'before']);
    expect(targets[1]).toEqual(['agent', expect.stringMatching(/^[0-9a-f-]{36}$/), 'before']);
    expect(targets.at(-1)).toEqual(['swarm', 'desk', 'after']);
  });
});

describe('a hook never stops its target', () => {
  it('when it throws, and its event does not contain the error message', async () => {
    await using setup = await startAgent(callTwice);
    let runs = 0;
    const failing = () => {
      throw new RangeError('secret-1');
    };
    setup.agent.toolify(
      { name: 't', description: 't', beforeExecute: [failing, () => {}] },
      () => (runs += 1),
    );
    const events = await collect(setup.agent.stream('x'));
    const fired = events.filter(({ name }) => name === 'hook_fired').map(({ payload }) => payload);
    expect(runs).toBe(2);
    expect(fired.map(({ status, error }) => [status, error])).toEqual([
      ['failed', 'RangeError'],
      ['completed', null],
      ['failed', 'RangeError'],
      ['completed', null],
    ]);
    expect(JSON.stringify(events)).not.toContain('secret-1');
  });

  it('when it throws an error whose name has a private value, and its event does not contain that', async () => {
    await using setup = await startAgent(callTwice, { privateData: { token: 'tok_9f31-secret' } });
    const failing = () => {
      throw Object.assign(new Error('x'), { name: 'Refused tok_9f31-secret' });
    };
    setup.agent.toolify({ name: 't', description: 't', beforeExecute: failing }, () => 1);
    const events = await collect(setup.agent.stream('x'));
    const fired = events.filter(({ name }) => name === 'hook_fired').map(({ payload }) => payload['error']);
    expect(fired).toEqual(['Refused {_{token}_}', 'Refused {_{token}_}']);
    expect(JSON.stringify(events)).not.toContain('tok_9f31');
  });

  it('when it throws, and the log names it, with the error message without private values', async () => {
    const logged: LogRecord[] = [];
    configureLogging({ level: 'warn', sink: (record) => logged.push(record) });
    onTestFinished(() => configureLogging({ level: 'silent' }));
    await using setup = await startAgent(callTwice, { privateData: { card: 'tok_9f31-secret' } });
    const audit = () => {
      throw new RangeError('No entry for tok_9f31-secret');
    };
    setup.agent.toolify(
      { name: 't', description: 't', beforeExecute: () => {}, afterExecute: audit },
      () => 1,
    );
    await setup.agent.invoke('x');
    const warned = {
      level: 'warn',
      message: 'A hook failed.',
      fields: { hook: 'audit', stage: 'after', error: expect.stringMatching(/^No entry for (?!tok_)/) },
    };
    expect(logged).toMatchObject([warned, warned]);
  });

  it('but its target waits for it, and its event contains the elapsed time', async () => {
    await using setup = await startAgent(callTwice);
    const trace: string[] = [];
    const beforeExecute = async () => {
      await wait(20);
      trace.push('hook');
    };
    setup.agent.toolify({ name: 't', description: 't', beforeExecute }, () => void trace.push('run'));
    const events = await collect(setup.agent.stream('x'));
    expect(trace).toEqual(['hook', 'run', 'hook', 'run']);
    const elapsed = events.find(({ name }) => name === 'hook_fired')?.payload['elapsed_ms'];
    expect(elapsed).toBeGreaterThanOrEqual(19);
  });
});

it('a hook that hangs times out, and the next one runs', async () => {
  vi.useFakeTimers();
  try {
    const reports: unknown[] = [];
    const trace: string[] = [];
    const running = runHooks({
      hooks: { before: [], after: [() => void trace.push('next'), async () => new Promise(() => {})] },
      payload: Object.assign(Object.create(null), { stage: 'after' }),
      runtime: systemRuntime,
      report: ({ status, error }) => void reports.push([status, error]),
    });
    await vi.advanceTimersByTimeAsync(HOOK_TIMEOUT_MS);
    await running;
    expect(trace).toEqual(['next']);
    expect(reports).toEqual([
      ['failed', 'TimeoutError'],
      ['completed', null],
    ]);
  } finally {
    vi.useRealTimers();
  }
});

it('a before-hook that hangs does not keep an aborted run from ending', async () => {
  const trace: string[] = [];
  const controller = new AbortController();
  const hang = async () => {
    controller.abort();
    return new Promise(() => {});
  };
  await using setup = await startAgent(callTwice, {
    hookExecutionMode: 'scope',
    beforeExecute: [hang, () => void trace.push('next')],
    afterExecute: () => void trace.push('after'),
  });
  await expect(setup.agent.invoke('x', { signal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(trace).toEqual(['after']);
});

it('the after-hook of the scope still fires when a run is cancelled', async () => {
  const trace: string[] = [];
  await using setup = await startAgent(callTwice, {
    hookExecutionMode: 'scope',
    beforeExecute: () => void trace.push('before'),
    afterExecute: ({ error }) => void trace.push(`after ${error?.code}`),
  });
  const run = setup.agent.stream('x');
  setup.agent.toolify({ name: 't', description: 't' }, async () => {
    trace.push('run');
    await run.cancel();
  });
  await expect(run.response).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  expect(trace).toEqual(['before', 'run', 'after RUN_CANCELLED']);
});

it.each([
  ['completed', (session: ScriptedSession) => session.finish()],
  ['failed', (session: ScriptedSession) => session.fail('no luck')],
])('the after-hook of the scope fires before a final with status %s', async (status, script) => {
  await using setup = await startAgent(script, { hookExecutionMode: 'scope', afterExecute: () => {} });
  const events = await collect(setup.agent.stream('x'));
  expect(events.slice(-2)).toMatchObject([
    { name: 'hook_fired', payload: { stage: 'after', target_type: 'agent' } },
    { name: 'final', payload: { status } },
  ]);
});

describe('a hook receives', () => {
  async function payloadsOf(run: () => unknown): Promise<HookPayload[]> {
    const payloads: HookPayload[] = [];
    const note = (payload: HookPayload) => void payloads.push(payload);
    await using setup = await startAgent(
      async (session) => {
        await session.callTool('t', { q: 'tea' }, 'ev-1');
        session.finish();
      },
      { privateData: { key: 'private-value-1' } },
    );
    setup.agent.toolify(
      {
        name: 't',
        description: 't',
        input: z.object({ q: z.string() }),
        inject: { key: dependsOnPrivateData('key') },
        beforeExecute: note,
        afterExecute: note,
      },
      run,
    );
    await setup.agent.invoke('x');
    return payloads;
  }

  it('arguments and result without private values', async () => {
    const [before, after] = await payloadsOf(() => ({ used: 'private-value-1' }));
    expect(before).toMatchObject({
      stage: 'before',
      targetId: 'ev-1',
      arguments: { q: 'tea', key: '{_{key}_}' },
    });
    expect(before).not.toHaveProperty('result');
    expect(after).toMatchObject({ stage: 'after', result: { used: '{_{key}_}' } });
    expect(after).not.toHaveProperty('error');
  });

  it('the error of a failed call, without private values', async () => {
    const [, after] = await payloadsOf(() => {
      throw new Error('no private-value-1');
    });
    expect(after).toMatchObject({ error: { code: 'TOOL_FAILED', message: 'no {_{key}_}' } });
    expect(after).not.toHaveProperty('result');
  });

  it('copies, so changing them does not affect the call', async () => {
    let received: unknown;
    await using setup = await startAgent(
      async (session) => {
        session.finish({ result: await session.callTool('t', { q: { words: ['tea'] } }) });
      },
      {
        beforeExecute: ({ arguments: args }) => Object.assign(Object(args['q']), { words: ['milk'] }),
        afterExecute: ({ result }) => Object.assign(Object(result), { price: 0 }),
      },
    );
    const input = z.object({ q: z.object({ words: z.array(z.string()) }) });
    setup.agent.toolify({ name: 't', description: 't', input }, ({ q }) => {
      received = q;
      return { price: 5 };
    });
    expect((await setup.agent.invoke('x')).result).toMatchObject({ result: { price: 5 } });
    expect(received).toEqual({ words: ['tea'] });
  });

  it.each<[string, () => unknown, unknown]>([
    ['{} for a map', () => new Map([['key', 'private-value-1']]), {}],
    ['a note for a BigInt', () => ({ n: 1n, key: 'private-value-1' }), '[not serializable]'],
    ['undefined for undefined', () => undefined, undefined],
  ])('a JSON copy of the result: %s', async (_name, run, shown) => {
    const [, after] = await payloadsOf(run);
    expect(after?.result).toEqual(shown);
  });
});
