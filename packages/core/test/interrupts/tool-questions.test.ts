import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnInterrupt, dependsOnTool } from '../../src/decorators/depends-on.js';
import { parseAnswer, type InterruptInputType } from '../../src/interrupts/input-type.js';
import {
  getInterruptService,
  setInterruptService,
  type InterruptService,
} from '../../src/interrupts/interrupt-service.js';
import type { InterruptOptions } from '../../src/decorators/depends-on.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { startAgent } from '../agent-setup.js';
import { serviceOf } from './interrupt-doubles.js';

const oneCall = async (session: ScriptedSession): Promise<void> => {
  session.finish({ result: await session.callTool('t') });
};

/** Invokes an agent whose tool needs an answer; returns the outcome of the call. */
async function ask(
  options: Partial<InterruptOptions>,
  scope: { interruptService?: InterruptService } = {},
  call: { interruptService?: InterruptService } = {},
): Promise<unknown> {
  await using setup = await startAgent(oneCall, scope);
  const injection = dependsOnInterrupt({ prompt: 'Which?', ...options } as InterruptOptions);
  setup.agent.toolify({ name: 't', description: 't', inject: { it: injection } }, ({ it: answer }) => answer);
  return (await setup.agent.invoke('x', call)).result;
}

afterEach(() => {
  setInterruptService(undefined);
});

describe('parseAnswer', () => {
  it.each<[InterruptInputType, unknown, unknown]>([
    ['boolean', 'YES', true],
    ['boolean', 'n', false],
    ['boolean', true, true],
    ['boolean', 0, false],
    ['boolean', 'maybe', undefined],
    ['number', '4.5', 4.5],
    ['number', 7, 7],
    ['number', 'NaN', undefined],
    ['number', '', undefined],
    ['number', true, undefined],
    ['number', false, undefined],
    ['number', 'Infinity', undefined],
    ['email', ' a@b.example ', 'a@b.example'],
    ['email', 'a@b', undefined],
    ['choice', 'b', 'b'],
    ['choice', 'c', undefined],
    ['text', '', ''],
    ['text', 5, '5'],
    ['text', null, undefined],
    ['text', {}, undefined],
    ['password', 'pw', 'pw'],
  ])('parses or refuses an answer of type %s: %j', (inputType, answer, expected) => {
    const parsed = parseAnswer({ inputType, choices: ['a', 'b'] }, answer);
    expect(parsed.ok ? parsed.value : undefined).toBe(expected);
  });
});

it('setInterruptService refuses a service without ask() and keeps the current one', () => {
  const service = serviceOf('x');
  setInterruptService(service);
  expect(() => setInterruptService({} as never)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID_OPTION', message: expect.stringContaining('ask') }),
  );
  expect(getInterruptService()).toBe(service);
});

describe('the answer to a tool’s question', () => {
  it('comes from the handler rather than a service', async () => {
    const service = serviceOf('service');
    expect(await ask({ handler: () => 'handler' }, { interruptService: service })).toMatchObject({
      result: 'handler',
    });
    expect(service.asked).toEqual([]);
  });

  it('comes from the service of the call, else of the scope, else of the process', async () => {
    setInterruptService(serviceOf('process'));
    const scope = { interruptService: serviceOf('scope') };
    expect(await ask({}, scope, { interruptService: serviceOf('call') })).toMatchObject({ result: 'call' });
    expect(await ask({}, scope)).toMatchObject({ result: 'scope' });
    expect(await ask({})).toMatchObject({ result: 'process' });
    expect(getInterruptService()).toBeDefined();
  });

  it('is requested with the question, the tool and the argument', async () => {
    const service = serviceOf('m');
    await ask(
      { choices: ['s', 'm'], prompt: (args) => `Size for ${JSON.stringify(args)}?` },
      { interruptService: service },
    );
    expect(service.asked).toEqual([
      {
        prompt: 'Size for {}?',
        inputType: 'choice',
        choices: ['s', 'm'],
        toolName: 't',
        argName: 'it',
        dataKey: 'it',
      },
    ]);
  });

  it('is worded without what a planner sends under the name of an injected argument', async () => {
    const session = async (scripted: ScriptedSession) =>
      scripted.finish({
        result: await scripted.callTool('pay', { note: 'rent', order: { total: 1 }, ok: true }),
      });
    const service = serviceOf('yes');
    await using setup = await startAgent(session, { interruptService: service });
    const order = setup.agent.toolify({ name: 'order', description: 'o' }, () => ({ total: 900 }));
    const prompt = (args: object) => `Pay ${JSON.stringify(args)}?`;
    const input = z.strictObject({ note: z.string() });
    const inject = { order: dependsOnTool(order), ok: dependsOnInterrupt({ prompt }) };
    setup.agent.toolify({ name: 'pay', description: 'p', input, inject }, (args) => args);
    expect((await setup.agent.invoke('x')).result).toMatchObject({
      result: { note: 'rent', order: { total: 900 }, ok: 'yes' },
    });
    expect(service.asked).toMatchObject([{ prompt: 'Pay {"note":"rent"}?' }]);
  });

  it('is unavailable without a handler, service or reader of events, which fails the call', async () => {
    expect(await ask({})).toMatchObject({
      error: { code: 'INTERRUPT_UNATTENDED', message: expect.stringContaining('interruptService') },
    });
  });

  it.each<[string, Partial<InterruptOptions>, string]>([
    [
      'that throws',
      {
        handler: () => {
          throw new Error('no terminal');
        },
      },
      'TOOL_FAILED',
    ],
    [
      'that returns another type',
      { inputType: 'number', handler: () => 'seven' },
      'INTERRUPT_ANSWER_INVALID',
    ],
    ['that returns nothing', { handler: () => undefined }, 'INTERRUPT_ANSWER_INVALID'],
    [
      'that takes too long',
      { handler: async () => new Promise(() => {}), expiresInMs: 10 },
      'INTERRUPT_EXPIRED',
    ],
  ])(
    'is not requested from a service after a handler %s, which fails the call',
    async (_name, options, code) => {
      const service = serviceOf('x');
      expect(await ask(options, { interruptService: service })).toMatchObject({
        status: 'error',
        error: { code },
      });
      expect(service.asked).toEqual([]);
    },
  );
});

it.each(['handler', 'service'])('a %s is told by its signal that its question has expired', async (who) => {
  let signal: AbortSignal | undefined;
  const ask = async (_request: unknown, options: { signal: AbortSignal }) => {
    ({ signal } = options);
    return new Promise<never>(() => {});
  };
  let reason: unknown;
  const script = async (session: ScriptedSession) => {
    await session.callTool('t');
    // The run is not over yet.
    reason = signal?.reason;
    session.finish();
  };
  await using setup = await startAgent(script, who === 'service' ? { interruptService: { ask } } : {});
  const handler = who === 'handler' ? ask : undefined;
  const injection = dependsOnInterrupt({ prompt: 'Which?', expiresInMs: 10, handler });
  setup.agent.toolify({ name: 't', description: 't', inject: { it: injection } }, () => 1);
  await setup.agent.invoke('x');
  expect(reason).toMatchObject({
    code: 'INTERRUPT_EXPIRED',
    details: { interrupt_id: expect.any(String) },
  });
});

describe('an open question', () => {
  async function openQuestion(options: Pick<InterruptOptions, 'expiresInMs'> = {}) {
    const setup = await startAgent(oneCall);
    const injection = dependsOnInterrupt({ prompt: 'Really?', inputType: 'boolean', ...options });
    setup.agent.toolify({ name: 't', description: 't', inject: { ok: injection } }, ({ ok }) => ok);
    return {
      ...setup,
      run: setup.agent.stream('x'),
      [Symbol.asyncDispose]: async () => setup[Symbol.asyncDispose](),
    };
  }

  it('is emitted as a complete event with the fields a page needs', async () => {
    await using setup = await openQuestion();
    for await (const { name, payload } of setup.run) {
      if (name !== 'interrupt_required') continue;
      const common = {
        prompt: 'Really?',
        input_type: 'boolean',
        data_key: 'ok',
        arg_name: 'ok',
        tool_name: 't',
      };
      expect(payload).toMatchObject({
        ...common,
        interrupt: { id: payload['interrupt_id'], ...common, checkpoint_id: null },
        assignment_id: 'session-1-call-1',
        expires_at: expect.stringMatching(/Z$/),
        contract_version: 'v1',
        event_kind: 'interrupt',
      });
      await setup.run.answer(String(payload['interrupt_id']), 'no');
    }
    expect((await setup.run.response).result).toMatchObject({ result: false });
  });

  it('stays open after an invalid answer and accepts only one answer', async () => {
    await using setup = await openQuestion();
    for await (const { name, payload } of setup.run) {
      if (name !== 'interrupt_required') continue;
      const id = String(payload['interrupt_id']);
      await expect(setup.run.answer(id, 'maybe')).rejects.toMatchObject({
        code: 'INTERRUPT_ANSWER_INVALID',
        details: { interrupt_id: id, input_type: 'boolean' },
      });
      await setup.run.answer(id, 'yes');
      await expect(setup.run.answer(id, 'no')).rejects.toMatchObject({ code: 'INTERRUPT_NOT_OPEN' });
      await expect(setup.run.answer('other', 'no')).rejects.toMatchObject({ code: 'INTERRUPT_NOT_OPEN' });
    }
    expect((await setup.run.response).result).toMatchObject({ result: true });
  });

  it('fails the call and refuses answers once it has expired', async () => {
    await using setup = await openQuestion({ expiresInMs: 10 });
    let id = '';
    for await (const { name, payload } of setup.run) {
      if (name === 'interrupt_required') id = String(payload['interrupt_id']);
    }
    expect((await setup.run.response).result).toMatchObject({ error: { code: 'INTERRUPT_EXPIRED' } });
    await expect(setup.run.answer(id, 'yes')).rejects.toMatchObject({ code: 'INTERRUPT_NOT_OPEN' });
  });

  it.each([Number.MAX_SAFE_INTEGER, Number.MAX_VALUE])(
    'that expires after %d ms stays open, with the latest possible date as its expiry',
    async (expiresInMs) => {
      await using setup = await openQuestion({ expiresInMs });
      for await (const { name, payload } of setup.run) {
        if (name !== 'interrupt_required') continue;
        expect(payload['expires_at']).toBe('9999-12-31T23:59:59.999Z');
        await setup.run.answer(String(payload['interrupt_id']), 'yes');
      }
      expect((await setup.run.response).result).toMatchObject({ result: true });
    },
  );

  it('does not keep a cancelled run from ending', async () => {
    await using setup = await openQuestion();
    for await (const { name } of setup.run) {
      if (name === 'interrupt_required') void setup.run.cancel();
    }
    await expect(setup.run.response).rejects.toMatchObject({ code: 'RUN_CANCELLED' });
  });
});
