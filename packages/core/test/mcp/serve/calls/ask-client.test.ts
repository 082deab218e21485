import { fail } from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import {
  Client,
  InMemoryTransport,
  type ClientCapabilities,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { askClient } from '../../../../src/mcp/serve/calls/ask-client.js';
import type { ToolQuestion } from '../../../../src/tools/reports/tool-reports.js';

/** Connects a server with a client that answers like this; records the forms that the client receives. */
async function start(
  answer: () => ElicitResult | Promise<ElicitResult>,
  elicitation: NonNullable<ClientCapabilities['elicitation']> = { form: {} },
) {
  const server = new Server({ name: 's', version: '1' }, { capabilities: {} });
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation } });
  const forms: unknown[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    forms.push(params);
    return answer();
  });
  const [one, other] = InMemoryTransport.createLinkedPair();
  const sent = vi.spyOn(one, 'send');
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(async () => client.close());
  const { signal } = new AbortController();
  const ask = async (question: Partial<ToolQuestion>, stop = signal) =>
    askClient(server, { name: 'it', prompt: 'What?', ...question }, 'call-1', stop);
  return { ask, forms, sent };
}

it.each([
  [{ inputType: 'text' }, { type: 'string' }, 'x', 'x'],
  [{ inputType: 'email' }, { type: 'string', format: 'email' }, 'a@b.example', 'a@b.example'],
  [{ inputType: 'number' }, { type: 'number' }, 1.5, 1.5],
  [{ inputType: 'boolean' }, { type: 'boolean' }, false, false],
  [{ inputType: 'choice', choices: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }, 'b', 'b'],
] as const)(
  'sends a client the question %j as a form with the field %j',
  async (question, field, answer, expected) => {
    const { ask, forms } = await start(() => ({ action: 'accept', content: { it: answer } }));
    expect(await ask(question)).toBe(expected);
    const requestedSchema = {
      type: 'object',
      properties: { it: { title: 'it', ...field } },
      required: ['it'],
    };
    expect(forms).toEqual([{ mode: 'form', message: 'What?', requestedSchema }]);
  },
);

it.each<[string, () => ElicitResult, string]>([
  ['declines', () => ({ action: 'decline' }), 'declined'],
  ['cancels', () => ({ action: 'cancel' }), 'cancelled'],
  ['accepts without an answer', () => ({ action: 'accept' }), 'must be a string'],
  [
    'answers what was not asked',
    () => ({ action: 'accept', content: { other: 'x' } }),
    "required property 'it'",
  ],
  ['fails', () => fail('the window was closed'), 'the window was closed'],
])('rejects with MCP_QUESTION_REFUSED when the client %s', async (_what, answer, why) => {
  const { ask } = await start(answer);
  await expect(ask({})).rejects.toMatchObject({
    code: 'MCP_QUESTION_REFUSED',
    message: expect.stringContaining(why),
  });
});

it('does not ask a client that only opens addresses', async () => {
  const { ask } = await start(() => ({ action: 'accept', content: { it: 'x' } }), { url: {} });
  await expect(ask({})).rejects.toMatchObject({ code: 'MCP_QUESTION_REFUSED' });
});

it('does not ask a client for a password', async () => {
  const { ask, forms } = await start(() => ({ action: 'accept', content: { it: 'secret' } }));
  await expect(ask({ inputType: 'password' })).rejects.toMatchObject({ code: 'MCP_QUESTION_REFUSED' });
  expect(forms).toEqual([]);
});

it('waits for an answer until the question expires or the call is aborted', async () => {
  const { ask, forms } = await start(async () => new Promise(() => {}));
  await expect(ask({ expiresInMs: 20 })).rejects.toMatchObject({ code: 'INTERRUPT_EXPIRED' });
  const stop = new AbortController();
  const asked = ask({}, stop.signal);
  await expect.poll(() => forms).toHaveLength(2);
  stop.abort(new Error('the call was cancelled'));
  await expect(asked).rejects.toThrow('the call was cancelled');
});

it('waits for an answer if the expiry is beyond the range of timers', async () => {
  const answer = async (): Promise<ElicitResult> => {
    await wait(50);
    return { action: 'accept', content: { it: 'x' } };
  };
  const { ask } = await start(answer);
  expect(await ask({ expiresInMs: Number.MAX_SAFE_INTEGER })).toBe('x');
});

it('sends a question on the stream of its call, for clients that listen to no other', async () => {
  const { ask, sent } = await start(() => ({ action: 'accept', content: { it: 'x' } }));
  await ask({});
  expect(sent).toHaveBeenLastCalledWith(
    expect.objectContaining({ method: 'elicitation/create' }),
    expect.objectContaining({ relatedRequestId: 'call-1' }),
  );
});
