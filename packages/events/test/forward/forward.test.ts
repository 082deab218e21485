import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { forwardNormalizedEvent, forwardNormalizedStream } from '../../src/forward/forward.js';
import { NormalizedEventForwardingState } from '../../src/forward/state.js';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';
import { buildAssistantChunkPayload } from '../../src/payloads/assistant.js';
import { buildStatusMessagePayload } from '../../src/payloads/status.js';
import { buildErrorPayload, buildFinalPayload, buildSessionStartPayload } from '../../src/payloads/turn.js';
import { recordingReporter } from '../golden/recording-reporter.ts';
import { arbitraryRawEvents } from '../normalize/arbitrary-raw-event.ts';
import { recordingBridge } from './recording-bridge.ts';

const chunk = (text: string) => buildAssistantChunkPayload({ assistantId: 'a', text });

describe('forwarding', () => {
  test('passes each event to the reporter, then to the bridge, before the next event', async () => {
    const steps: string[] = [];
    const step = async (what: string) => {
      await Promise.resolve();
      steps.push(what);
    };
    await forwardNormalizedStream([chunk('1'), chunk('2')], {
      reporter: { reportResponseChunk: ({ text }) => step(`reporter ${text}`) },
      bridge: { emit: (_, payload) => step(`bridge ${String(payload.text)}`) },
    });
    expect(steps).toEqual(['reporter 1', 'bridge 1', 'reporter 2', 'bridge 2']);
  });

  test.each<[string, object, RegExp]>([
    [
      'an unknown option',
      { bridges: {} },
      /^forward\w+: unknown option 'bridges'\. Known options: reporter, bridge, state, signal\.$/,
    ],
    [
      'a bridge in place of options',
      new EventBridge('s-1'),
      /options must be an object: pass the bridge as \{ bridge \}/,
    ],
    ['a bridge without an emit method', { bridge: {} }, /bridge must have an emit method/],
    ['a state of another kind', { state: {} }, /^state must have a beginTurn method$/],
    ['a reporter that is a string', { reporter: 'console' }, /reporter must be an object.* got string/],
  ])('refuses %s before it reads, because no event would arrive', async (_what, options, message) => {
    let isRead = false;
    const events = (function* () {
      isRead = true;
      yield chunk('1');
    })();
    await expect(forwardNormalizedStream(events, options)).rejects.toThrow(message);
    await expect(forwardNormalizedEvent(chunk('1'), options)).rejects.toThrow(message);
    expect(isRead).toBe(false);
  });

  test.each<[string, unknown]>([
    ['a raw event', { name: 'final', payload: { response: 'done' } }],
    ['null', null],
    ['an event_name that is not a string', { event_name: 7 }],
  ])('refuses %s, because frontends would get an event without a name', async (_what, event) => {
    const { bridge, events } = recordingBridge();
    const message = 'event must have an event_name: pass raw events through normalizeStream first';
    await expect(forwardNormalizedEvent(event as never, { bridge })).rejects.toThrow(message);
    await expect(forwardNormalizedStream([event] as never, { bridge })).rejects.toThrow(message);
    expect(events).toEqual([]);
  });

  test.each([
    ['null', null],
    ['object', chunk('1')],
  ])('refuses %s in place of a stream', async (given, events) => {
    await expect(forwardNormalizedStream(events as never)).rejects.toThrow(
      new TypeError(
        `events must be an iterable or async iterable of events, got ${given}; ` +
          'for a single event use forwardNormalizedEvent',
      ),
    );
  });

  test('accepts a function with the methods of a reporter, such as a class with static methods', async () => {
    const received: string[] = [];
    const terminal = Object.assign(() => undefined, {
      reportResponseChunk: ({ text }: { text: string }) => received.push(text),
    });
    await forwardNormalizedEvent(chunk('1'), { reporter: terminal });
    expect(received).toEqual(['1']);
  });

  test('still forwards to the bridge when the reporter fails, and then rejects', async () => {
    const { bridge, events } = recordingBridge();
    const reporter = {
      reportResponseChunk() {
        throw new Error('no terminal');
      },
    };
    await expect(forwardNormalizedEvent(chunk('1'), { reporter, bridge })).rejects.toThrow('no terminal');
    const failing = { emit: () => Promise.reject(new Error('no log')) };
    await expect(forwardNormalizedEvent(chunk('1'), { reporter, bridge: failing })).rejects.toMatchObject({
      name: 'AggregateError',
      message: 'The reporter and the bridge both failed',
      errors: [new Error('no terminal'), new Error('no log')],
    });
    expect(events).toHaveLength(1);
  });

  test('accepts an async stream and resolves to the state', async () => {
    const state = new NormalizedEventForwardingState();
    async function* overTime() {
      yield chunk('Hel');
      yield chunk('lo');
    }
    const { reporter } = recordingReporter('full');
    expect(await forwardNormalizedStream(overTime(), { reporter, state })).toBe(state);
    expect(state.assistantTextById.get('a')).toBe('Hello');
  });

  test('works without a bridge, a reporter or any method of one', async () => {
    const raw = [
      { name: 'session_start', payload: { session_id: 's', assistant_id: 'a' } },
      { name: 'update', payload: { streaming_content: 'x', action_type: 'swarm_agent' } },
      { name: 'status_message', payload: { message: 'm' } },
      { name: 'system_tool_start', payload: { tool_id: 't' } },
      { name: 'system_tool_chunk', payload: { tool_id: 't', text: 'x' } },
      { name: 'system_tool_error', payload: { tool_id: 't' } },
      { name: 'enrichment', payload: { phase: 'p', message: 'm' } },
      { name: 'model_tool_complete', payload: {} },
      { name: 'final', payload: {} },
      { name: 'error', payload: {} },
    ];
    await expect(forwardNormalizedStream(normalizeStream(raw), { reporter: {} })).resolves.toBeDefined();
    await expect(forwardNormalizedStream(normalizeStream(raw))).resolves.toBeDefined();
  });

  test('never throws, whatever a stream contains, and does not change events', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRawEvents, async (raw) => {
        const events = [...normalizeStream(raw)];
        const shown = () =>
          JSON.stringify(events, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v));
        const before = shown();
        const { reporter } = recordingReporter('full');
        await forwardNormalizedStream(events, { reporter, bridge: recordingBridge().bridge });
        expect(shown()).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  test('forwards a custom event to the bridge unchanged, except for the nulls of a full dump', async () => {
    const { bridge, events } = recordingBridge();
    const event = {
      contract_version: 'v1',
      event_name: 'mine',
      event_kind: 'custom',
      scope: null,
      tool: null,
      mine: null,
    };
    await forwardNormalizedEvent(event, { bridge });
    expect(events).toEqual([
      {
        type: 'mine',
        data: { contract_version: 'v1', event_name: 'mine', event_kind: 'custom', mine: null },
      },
    ]);
    expect(event.scope).toBeNull();
  });

  test.each(['tool_event', 'system_tool_error', 'assistant_chunk', 'final', 'status_message'])(
    'forwards a %s of another contract version unchanged, and only to the bridge',
    async (event_name) => {
      const { bridge, events } = recordingBridge();
      const { reporter, calls } = recordingReporter('full');
      const event = { contract_version: 'v2', event_name, tool_type: 'system', renamed: 't' };
      await forwardNormalizedEvent(event, { reporter, bridge });
      expect(events).toEqual([{ type: event_name, data: event }]);
      expect(calls).toEqual([]);
    },
  );

  test('keeps participants and unknown fields, even in descriptors', async () => {
    const { bridge, events } = recordingBridge();
    const extras = { participant_key: 'k', participant: { key: 'k', team: 'x' }, mine: 1 };
    await forwardNormalizedStream(
      [
        { ...chunk('x'), ...extras },
        { ...buildStatusMessagePayload({ assistantId: 'a', message: 'm' }), ...extras },
        { contract_version: 'v1', event_name: 'agent_assignment', agent_name: 'A', status: 's', ...extras },
        { contract_version: 'v1', event_name: 'enrichment', phase: 'p', message: 'm', ...extras },
        { contract_version: 'v1', event_name: 'tool_event', tool_id: 't', status: 'executing', ...extras },
        {
          contract_version: 'v1',
          event_name: 'tool_event',
          tool_id: 's',
          tool_type: 'system',
          status: 'executing',
          ...extras,
        },
        {
          contract_version: 'v1',
          event_name: 'tool_event',
          tool_id: 's',
          tool_type: 'system',
          status: 'completed',
          ...extras,
        },
        { contract_version: 'v1', event_name: 'system_tool_error', tool_id: 's', ...extras },
      ],
      { bridge },
    );
    expect(events).toHaveLength(8);
    for (const { data } of events) expect(data).toMatchObject(extras);
  });
});

describe('the end of a turn', () => {
  const error = buildErrorPayload({ error: 'boom' });
  const failed = {
    ...buildFinalPayload({ response: '', tokenUsage: { total_tokens: 3 } }),
    status: 'failed',
    error: 'boom',
  };

  test('is reported once when a failed final follows an error, and its token usage is kept', async () => {
    const { bridge, events } = recordingBridge();
    const { reporter, calls } = recordingReporter('full');
    await forwardNormalizedStream([error, failed], { bridge, reporter });
    expect(events.map(({ type }) => type)).toEqual(['error']);
    expect(calls.map(({ method }) => method)).toEqual(['print_event', 'print_summary']);
  });

  test('is forwarded to a bridge once, so that the bridge has nothing to refuse', async () => {
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const bridge = new EventBridge('session-1', { logger: { debug() {}, info() {}, warn, error: warn } });
    await forwardNormalizedStream([error, failed], { bridge });
    expect((await bridge.history()).map(({ type }) => type)).toEqual(['error']);
    expect(warnings).toEqual([]);
  });

  test('is the failed final if no error preceded it', async () => {
    const { bridge, events } = recordingBridge();
    const { reporter, calls } = recordingReporter('full');
    await forwardNormalizedStream([failed], { bridge, reporter });
    expect(events).toMatchObject([{ type: 'final', data: { status: 'failed', error: 'boom' } }]);
    expect(calls[0]?.arguments).toEqual({
      event_type: 'error',
      message: 'Agent execution failed: boom. Contact support if this persists.',
    });
  });

  test('is forwarded again in the next turn', async () => {
    const { bridge, events } = recordingBridge();
    const state = new NormalizedEventForwardingState();
    await forwardNormalizedStream([error], { bridge, state });
    await forwardNormalizedStream([failed], { bridge, state });
    await forwardNormalizedEvent(error, { bridge, state });
    await forwardNormalizedEvent(buildSessionStartPayload({ sessionId: 's', assistantId: 'a' }), {
      bridge,
      state,
    });
    await forwardNormalizedEvent(failed, { bridge, state });
    expect(events.map(({ type }) => type)).toEqual(['error', 'final', 'error', 'session_start', 'final']);
  });

  test('of a cancelled run is reported as a warning', async () => {
    const { reporter, calls } = recordingReporter('full');
    await forwardNormalizedEvent({ ...failed, status: 'cancelled', error: 'stopped' }, { reporter });
    expect(calls[0]?.arguments).toEqual({
      event_type: 'warning',
      message: 'Agent execution was cancelled: stopped.',
    });
  });

  test('of an interrupted run is forwarded to the bridge but not reported', async () => {
    const { reporter, calls } = recordingReporter('full');
    const { bridge, events } = recordingBridge();
    await forwardNormalizedEvent({ ...failed, status: 'interrupted' }, { reporter, bridge });
    expect(calls).toEqual([]);
    expect(events).toHaveLength(1);
  });
});
