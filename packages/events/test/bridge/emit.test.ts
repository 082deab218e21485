import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import type { Logger } from '../../src/logger.js';
import { readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

const open = (options: EventBridgeOptions = {}) => new EventBridge('s', { logger: silentLogger, ...options });
const dataOf = async (bridge: EventBridge) => (await bridge.history()).map(({ data }) => data);

function recordingLogger() {
  const messages: string[] = [];
  const take = (message: string) => void messages.push(message);
  const logger: Logger = { debug: take, info: take, warn: take, error: take };
  return { logger, messages };
}

describe('an emitted event', () => {
  it('has an id with epoch and sequence number, its type, a timestamp and its data', async () => {
    const bridge = open();
    await bridge.emit('custom', { n: 1 });
    await bridge.emit('custom', { n: 2 });
    const [one, two] = await bridge.history();
    expect(one).toEqual({
      id: expect.stringMatching(/^[0-9a-z]+-1$/),
      type: 'custom',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { n: 1 },
    });
    expect(two?.id).toBe(one?.id.replace(/1$/, '2'));
  });

  it('contains its payload as it was when emitted, even while the log was still being opened', async () => {
    const bridge = open();
    const payload = { list: [{ n: 1 }] };
    const args = { q: 1 };
    const emitted = [
      bridge.emit('custom', payload),
      bridge.emitToolEvent({ toolName: 't', toolId: '1', status: 'executing', args }),
    ];
    payload.list[0] = { n: 2 };
    args.q = 2;
    await Promise.all(emitted);
    payload.list.push({ n: 3 });
    const [custom, tool] = await dataOf(bridge);
    expect(custom).toEqual({ list: [{ n: 1 }] });
    expect(tool).toMatchObject({ args: { q: 1 } });
  });

  it('is stored in the order of the calls, even if some were made before the log was open', async () => {
    const bridge = open();
    const calls = Array.from({ length: 30 }, async (_, n) => {
      if (n % 3 === 0) await Promise.resolve();
      return bridge.emit('custom', { n });
    });
    await Promise.all(calls);
    const first = (await dataOf(bridge)).map(({ n }) => n);
    expect(first).toHaveLength(30);
    expect(first.filter((n) => Number(n) % 3 !== 0)).toEqual(
      Array.from({ length: 30 }, (_, n) => n).filter((n) => n % 3 !== 0),
    );
  });

  it('has null for NaN and infinities, strings for big integers, and unusual Unicode unchanged', async () => {
    const bridge = open();
    const odd = {
      nan: Number.NaN,
      inf: [Infinity, -Infinity],
      big: 2n ** 64n,
      text: '\u2028\u2029\ud800 x\r\n\u0000',
    };
    await bridge.emit('custom', odd);
    await bridge.emitFinal('done');
    const [event] = await readAll(bridge.generateSse());
    expect(event?.data).toEqual({
      nan: null,
      inf: [null, null],
      big: '18446744073709551616',
      text: odd.text,
    });
  });

  it('keeps own keys __proto__ and constructor, and pollutes no prototype', async () => {
    const bridge = open();
    const payload =
      '{"tool_id":"t","tool_name":"n","result":{"a":1},"__proto__":{"polluted":true},"constructor":1}';
    await bridge.emit('custom', {});
    await bridge.emit('tool_event', JSON.parse(payload));
    const [, data = {}] = await dataOf(bridge);
    expect(Object.getOwnPropertyDescriptor(data, '__proto__')?.value).toEqual({ polluted: true });
    expect(data).toHaveProperty('constructor', 1);
    expect(data.tool).toMatchObject({ result: { a: 1 } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each(['a\nb', 'a\rb', 'a\u0000b', 'final\n'])(
    'is refused with the name %j in every validation mode',
    async (name) => {
      for (const schemaValidation of ['off', 'warn', 'strict'] as const) {
        const bridge = open({ schemaValidation });
        await expect(bridge.emit(name, {})).rejects.toThrow(TypeError);
        expect(await bridge.history()).toEqual([]);
      }
    },
  );

  it.each([[null], [[1]], ['text'], [undefined], [5]])(
    'is refused with data %j in every validation mode',
    async (data) => {
      for (const schemaValidation of ['off', 'warn', 'strict'] as const) {
        const bridge = open({ schemaValidation });
        await expect(bridge.emit('custom', data as never)).rejects.toMatchObject({
          code: 'EVENT_SCHEMA_INVALID',
        });
      }
    },
  );

  it('of a known family gets its canonical name, whatever the case and padding of the given one', async () => {
    const bridge = open();
    await bridge.emit(' Session_Start ', { session_id: 's' });
    await bridge.emit('FINAL', { response: 'done' });
    expect((await bridge.history()).map(({ type }) => type)).toEqual(['session_start', 'final']);
    expect(bridge.closed).toBe(true);
  });
});

describe('data that cannot be serialized', () => {
  const loop = () => {
    const data: Record<string, unknown> = { tool_id: 't' };
    data.self = data;
    return data;
  };
  const throwing = () => ({ get field() { throw new RangeError('no'); } }); // prettier-ignore

  it.each([
    ['is circular', loop, 'TypeError'],
    ['throws when read', throwing, 'RangeError'],
    ['throws in toJSON', () => ({ at: { toJSON() { throw new SyntaxError('no'); } } }), 'SyntaxError'], // prettier-ignore
  ])('because it %s is replaced by serialization_error and logged', async (_, make, error_class) => {
    const { logger, messages } = recordingLogger();
    const bridge = open({ logger });
    await bridge.emit('custom', make());
    expect(await dataOf(bridge)).toEqual([
      { serialization_error: true, error_class, message: 'The data of this event could not be serialized.' },
    ]);
    expect(messages).toEqual([expect.stringContaining(error_class)]);
  });

  it('is refused by a strict bridge', async () => {
    const bridge = open({ schemaValidation: 'strict' });
    await expect(bridge.emit('custom', loop())).rejects.toMatchObject({ code: 'EVENT_SCHEMA_INVALID' });
    expect(await bridge.history()).toEqual([]);
  });

  it('still ends the turn if its event is terminal', async () => {
    const bridge = open();
    await bridge.emit('final', loop());
    expect(bridge.closed).toBe(true);
  });
});

describe('a refused event', () => {
  it('does not claim an id, count as a repeat or end the turn', async () => {
    const bridge = open({ schemaValidation: 'strict', dedupeStatusMessages: true });
    const refused = { code: 'EVENT_SCHEMA_INVALID' };
    const tool = { toolName: 'n', toolId: 's-1', status: 'executing' };
    await expect(bridge.emitToolEvent({ ...tool, args: { constructor: 1 } })).rejects.toMatchObject(refused);
    await bridge.emitToolEvent({ ...tool, toolId: 'e-1', status: 'completed' });
    const question = { interruptId: '', dataKey: 'k', prompt: 'p' };
    await expect(bridge.emitInterruptRequired(question)).rejects.toMatchObject(refused);
    await bridge.emitInterruptRequired({ ...question, interruptId: 'i' });
    await expect(
      bridge.emit('status_message', { assistant_id: 'a', message: 'm', x: JSON.parse('{"__proto__":1}') }),
    ).rejects.toMatchObject(refused);
    await bridge.emitStatusMessage({ assistantId: 'a', message: 'm' });
    await expect(bridge.emitError('')).rejects.toMatchObject(refused);
    expect(bridge.closed).toBe(false);
    const history = await bridge.history();
    expect(history.map(({ type }) => type)).toEqual(['tool_event', 'interrupt_required', 'status_message']);
    expect(history[0]?.data.tool_id).toBe('e-1');
  });
});

describe('an event outside the contract', () => {
  it.each([
    ['frontend_safe', ['custom', 'other']],
    ['internal', []],
  ] as const)('causes one warning per type on a frontend_safe bridge only (%s)', async (audience, types) => {
    const { logger, messages } = recordingLogger();
    const bridge = open({ audience, logger });
    for (const name of [
      'custom',
      'custom',
      'hook_fired',
      'other',
      'system_tool_error',
      'tool_log',
      'custom',
    ]) {
      await bridge.emit(name, {});
    }
    expect(messages).toEqual(types.map((type) => expect.stringContaining(`'${type}' is not part of`)));
    expect(await bridge.history()).toHaveLength(7);
  });

  it('causes one warning for all bridges that share a logger', async () => {
    const { logger, messages } = recordingLogger();
    for (const sessionId of ['first', 'second']) {
      await using bridge = new EventBridge(sessionId, { audience: 'frontend_safe', logger });
      await bridge.emit('custom', {});
    }
    expect(messages).toEqual([expect.stringContaining("'custom' is not part of")]);
  });
});

it('a tool_log event reaches frontend_safe readers without private values', async () => {
  const privateValues = () => [{ name: 'token', value: 'SECRET-42' }];
  const bridge = open({ audience: 'frontend_safe', privateValues });
  const line = { tool_id: 't', tool_name: 'search', level: 'info', source: 'by SECRET-42' };
  await bridge.emit('tool_log', {
    ...line,
    message: 'Asked with SECRET-42',
    added_private_data: { token: 1 },
  });
  expect((await bridge.history())[0]?.data).toEqual({
    ...line,
    source: 'by {_{token}_}',
    message: 'Asked with {_{token}_}',
    added_private_data: { token: '<redacted>' },
  });
});

describe('a typed emit', () => {
  it.each<[string, (bridge: EventBridge) => Promise<void>]>([
    ['tool_event', (bridge) => bridge.emitToolEvent({ toolName: 't', toolId: '1', status: 'executing' })],
    ['system_tool_start', (bridge) => bridge.emitSystemToolStart({ toolType: 't', toolId: '1' })],
    ['system_tool_chunk', (bridge) => bridge.emitSystemToolChunk({ toolId: '1', text: 'x' })],
    ['system_tool_complete', (bridge) => bridge.emitSystemToolComplete({ toolId: '1', result: 1 })],
    ['assistant_chunk', (bridge) => bridge.emitAssistantChunk({ assistantId: 'a', text: 'x' })],
    ['status_message', (bridge) => bridge.emitStatusMessage({ assistantId: 'a', message: 'x' })],
    [
      'interrupt_required',
      (bridge) => bridge.emitInterruptRequired({ interruptId: 'i', dataKey: 'k', prompt: 'p' }),
    ],
    ['agent_assignment', (bridge) => bridge.emitAgentAssignment({ agentName: 'A', status: 'received' })],
    ['enrichment', (bridge) => bridge.emitEnrichment({ phase: 'p', message: 'm' })],
    ['final', (bridge) => bridge.emitFinal('x')],
    ['final', (bridge) => bridge.emitFinal({ response: 'x', tokenUsage: { total: 1 } })],
    ['error', (bridge) => bridge.emitError('x')],
    ['error', (bridge) => bridge.emitError({ error: 'x', details: { a: 1 } })],
    ['session_start', (bridge) => bridge.emitSessionStart({ sessionId: 's', assistantId: 'a' })],
    [
      'hook_fired',
      (bridge) =>
        bridge.emitHookFired({ name: 'h', stage: 'before', status: 'completed', targetType: 'tool' }),
    ],
  ])('emits a complete %s event (case %#)', async (type, emit) => {
    const bridge = open({ schemaValidation: 'strict' });
    await emit(bridge);
    const [event] = await bridge.history();
    expect(event).toMatchObject({ type, data: { contract_version: 'v1', event_name: type } });
  });

  it.each(['x', { response: 'x' }, { text: 'x' }])('of final takes the answer from %j', async (final) => {
    const bridge = open({ schemaValidation: 'strict' });
    await bridge.emitFinal(final);
    const [data] = await dataOf(bridge);
    expect(data).toMatchObject({ response: 'x', responses: ['x'], output: { response: 'x' } });
    expect(data).not.toHaveProperty('text');
  });

  it('sets the timestamp of a question, unless one is given', async () => {
    const bridge = open();
    await bridge.emitInterruptRequired({ interruptId: 'i', dataKey: 'k', prompt: 'p' });
    await bridge.emitInterruptRequired({ interruptId: 'j', dataKey: 'l', prompt: 'q', timestamp: 'then' });
    const stamps = (await dataOf(bridge)).map(({ timestamp }) => timestamp);
    expect(stamps).toEqual([expect.stringMatching(/Z$/), 'then']);
  });
});

describe('the constructor', () => {
  it.each<[string, unknown]>([
    ['audience', 'public'],
    ['maxHistory', 0],
    ['maxHistory', 1.5],
    ['heartbeatIntervalMs', 0],
    ['heartbeatIntervalMs', Number.NaN],
    ['queueMaxsize', -1],
    ['backpressure', 'wait'],
    ['schemaValidation', 'hard'],
    ['dedupeInterrupts', 'yes'],
  ])('refuses %s %j and names the option', (name, value) => {
    expect(() => open({ [name]: value })).toThrow(new RegExp(`^${name} `));
  });

  it('accepts an audience in any case and with padding', () => {
    expect(open({ audience: ' Frontend_Safe ' as 'frontend_safe' }).audience).toBe('frontend_safe');
    expect(open().audience).toBe('internal');
  });

  it('refuses a blank session id', () => {
    expect(() => new EventBridge(' ')).toThrow('sessionId');
    // Stores keep text as UTF-8: all lone surrogates would be the same session there.
    expect(() => new EventBridge('s\ud800')).toThrow('well-formed');
  });
});
