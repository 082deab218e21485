import { expect, it, vi } from 'vitest';
import { InterruptError } from '../../../../src/interrupts/errors.js';
import { getLogger } from '../../../../src/logging/logger.js';
import { offerAgent } from '../../../../src/mcp/serve/offers/offer-agent.js';
import type { Caller } from '../../../../src/mcp/serve/offers/offer.js';
import type { ServableAgent, ServableRun } from '../../../../src/mcp/serve/offers/servable-agent.js';
import { systemRuntime } from '../../../../src/runtime.js';
import { catchLog } from '../../mcp-doubles.js';

type Event = { readonly name: string; readonly payload: unknown };

/** Offers an agent whose only run has these events. */
function offer(events: readonly Event[] = [], run: Partial<ServableRun> = {}) {
  const given: ServableRun = {
    async *[Symbol.asyncIterator]() {
      yield* events;
    },
    response: Promise.resolve({ response: 'done', result: { n: 1 } }),
    answer: vi.fn(async () => {}),
    ...run,
  };
  const agent: ServableAgent = {
    name: 'helper',
    description: undefined,
    privateData: {},
    privateValues: () => [],
    listTools: () => [],
    stream: () => given,
  };
  const caller = {
    sessionId: 's',
    signal: new AbortController().signal,
    reportProgress: vi.fn(async () => {}),
    reportLog: async () => {},
    ask: vi.fn(async () => 'L'),
  } satisfies Caller;
  const offered = offerAgent(agent, {
    logger: getLogger('test'),
    runtime: { ...systemRuntime, monotonicMs: () => 0, now: () => 1_000 },
  });
  const call = async (args: Record<string, unknown> = { message: 'go' }, more: Partial<Caller> = {}) =>
    offered.call('helper', args, { ...caller, ...more });
  return { offered, call, caller, run: given };
}

const question = (more: object) => ({
  name: 'interrupt_required',
  payload: {
    interrupt_id: 'i-1',
    arg_name: 'size',
    prompt: 'Which?',
    input_type: 'text',
    choices: [],
    ...more,
  },
});

it('an agent without a description is described by its name', () => {
  expect(offer().offered.listTools()).toMatchObject([{ description: 'Asks the agent helper.' }]);
});

it.each([{}, { message: '' }, { message: 5 }, { message: 'go', more: 1 }])(
  'a call with the arguments %j is refused',
  async (args) => {
    const { call, caller } = offer();
    const text = 'The arguments must be an object with only a non-empty message.';
    expect(await call(args)).toEqual({ isError: true, text });
    expect(caller.ask).not.toHaveBeenCalled();
  },
);

it('an empty answer is replaced by the JSON of the result', async () => {
  const answer = { response: '', result: { n: 1 } };
  const { call } = offer([], { response: Promise.resolve(answer) });
  expect(await call()).toEqual({ isError: false, text: '{"n":1}', structured: answer });
});

it('the message of an error that is not an SDK error is logged, but not sent to the client', async () => {
  const response = Promise.reject(new Error('no database at 10.0.0.1'));
  const { call } = offer([], { response });
  const log = catchLog();
  expect(await call()).toEqual({ isError: true, text: 'The agent failed.' });
  expect(log).toMatchObject([{ fields: { agent: 'helper', error: 'no database at 10.0.0.1' } }]);
});

it('a call of a tool with another name returns undefined', () => {
  const { offered, caller } = offer();
  expect(offered.call('other', { message: 'go' }, caller)).toBeUndefined();
});

it('a cancelled call rejects with the reason for its cancellation', async () => {
  const signal = AbortSignal.abort(new Error('the client left'));
  const response = Promise.reject(new Error('cancelled'));
  await expect(offer([], { response }).call(undefined, { signal })).rejects.toThrow('the client left');
});

it('a call limits how often it reports the progress of its run', async () => {
  const events = Array.from({ length: 30 }, (_, n) => ({
    name: 'status_message',
    payload: { message: `${n}` },
  }));
  const { call, caller } = offer(events);
  await call();
  expect(caller.reportProgress).toHaveBeenCalledTimes(10);
  expect(caller.reportProgress).toHaveBeenLastCalledWith({ progress: 10, message: '9' });
});

it('a call reports no progress for events without a message or a status', async () => {
  const { call, caller } = offer([
    { name: 'status_message', payload: { text: 'x' } },
    { name: 'tool_event', payload: { tool_name: 'x' } },
    { name: 'tool_event', payload: null },
    { name: 'enrichment', payload: { message: 'x', tool_name: 'x', status: 'x' } },
    { name: 'tool_event', payload: { tool_name: 'look_up', status: 'failed' } },
  ]);
  await call();
  expect(caller.reportProgress.mock.calls).toEqual([[{ progress: 1, message: 'look_up: failed' }]]);
});

it('a call asks for text if the fields of a question are missing or invalid', async () => {
  const odd = { prompt: 5, arg_name: null, input_type: 'date', choices: 'S', expires_at: 'soon' };
  const { call, caller } = offer([
    { name: 'interrupt_required', payload: { interrupt_id: 'i-1' } },
    question(odd),
  ]);
  await call();
  const signal = expect.any(AbortSignal);
  const asked = [{ name: 'answer', prompt: '', inputType: 'text', choices: [], signal }];
  expect(caller.ask.mock.calls).toEqual([asked, asked]);
});

it.each([
  [new InterruptError('No.', { code: 'INTERRUPT_ANSWER_INVALID' }), 'INTERRUPT_ANSWER_INVALID'],
  [new Error('no database'), 'The agent failed.'],
])('a call fails when an answer is rejected: %s', async (error, text) => {
  const answer = vi.fn().mockRejectedValue(error);
  expect(await offer([question({})], { answer }).call()).toMatchObject({
    isError: true,
    text: expect.stringContaining(text),
  });
});

it('a call does not ask for a password, and fails', async () => {
  const { call, caller, run } = offer([question({ input_type: 'password' })]);
  expect(await call()).toMatchObject({ isError: true, text: expect.stringContaining('password') });
  expect(caller.ask).not.toHaveBeenCalled();
  expect(run.answer).not.toHaveBeenCalled();
});

it.each(['INTERRUPT_EXPIRED', 'INTERRUPT_NOT_OPEN'])(
  'a call continues when an answer comes too late: %s',
  async (code) => {
    const answer = () => Promise.reject(new InterruptError('Too late.', { code }));
    expect(await offer([question({})], { answer }).call()).toMatchObject({ isError: false, text: 'done' });
  },
);

it('a call asks until the question expires, or for one millisecond if it has already expired', async () => {
  const expires_at = new Date(0).toISOString();
  const { call, caller, run } = offer([question({ expires_at })]);
  await call();
  expect(caller.ask).toHaveBeenCalledWith(
    expect.objectContaining({ name: 'size', prompt: 'Which?', expiresInMs: 1 }),
  );
  expect(run.answer).toHaveBeenCalledWith('i-1', 'L');
  const later = offer([question({ expires_at: new Date(6_000).toISOString() })]);
  await later.call();
  expect(later.caller.ask).toHaveBeenCalledWith(expect.objectContaining({ expiresInMs: 5_000 }));
});
