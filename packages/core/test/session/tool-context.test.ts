import { describe, expect, it } from 'vitest';
import type { ToolContext } from '../../src/tools/declaration/tool.js';
import type { ToolQuestion } from '../../src/tools/reports/tool-reports.js';
import { collect, startAgent } from '../agent-setup.js';
import type { Script } from '../../src/testing/scripted-orchestrator.js';

const callOnce: Script = async (session) => {
  const result = await session.callTool('long_work', {}, 'ev-1');
  session.finish({ responses: ['done'], result });
};
const declaration = { name: 'long_work', description: 'Takes long' };
const privateData = { card_token: 'tok_9f31-secret' };

describe('a running tool', () => {
  it('reports progress on its own card, without private values', async () => {
    await using setup = await startAgent(callOnce, { privateData });
    setup.agent.toolify(declaration, async (_args, context) => {
      await context.reportProgress({ progress: 1, total: 2, message: 'charging tok_9f31-secret' });
      return 'ok';
    });
    const events = await collect(setup.agent.stream('go'));
    expect(events.map(({ payload }) => [payload['tool_id'], payload['status']])).toEqual([
      ['ev-1', 'executing'],
      ['ev-1', 'executing'],
      ['ev-1', 'completed'],
      [undefined, 'completed'],
    ]);
    expect(events[1]?.payload).toMatchObject({
      contract_version: 'v1',
      event_name: 'tool_event',
      tool: { tool_id: 'ev-1', progress: { progress: 1, total: 2, message: 'charging {_{card_token}_}' } },
    });
  });

  it('reports log lines as custom events, without private values', async () => {
    await using setup = await startAgent(callOnce, { privateData });
    setup.agent.toolify(declaration, async (_args, context) => {
      await context.reportLog({ level: 'warning', message: 'tok_9f31-secret is old', source: 'bank' });
    });
    const events = await collect(setup.agent.stream('go'));
    expect(events.find(({ name }) => name === 'tool_log')?.payload).toEqual({
      contract_version: 'v1',
      event_name: 'tool_log',
      event_kind: 'custom',
      tool_id: 'ev-1',
      tool_name: 'long_work',
      level: 'warning',
      message: '{_{card_token}_} is old',
      source: 'bank',
      scope: { type: 'agent', name: 'billing' },
    });
  });

  it.each<[string, (context: ToolContext) => Promise<void>]>([
    ['no progress', async ({ reportProgress }) => reportProgress(undefined as never)],
    ['progress that is not a number', async ({ reportProgress }) => reportProgress({ progress: Number.NaN })],
    ['a line without a message', async ({ reportLog }) => reportLog({ level: 'info' } as never)],
    ['an unknown level', async ({ reportLog }) => reportLog({ level: 'fatal', message: 'x' } as never)],
  ])('fails with TOOL_INVALID_REPORT if it reports %s', async (_name, report) => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, async (_args, context) => report(context));
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({
      result: { status: 'error', error: { code: 'TOOL_INVALID_REPORT' } },
    });
  });

  it('does not have to await its reports, even if they fail', async () => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, (_args, { reportProgress, reportLog }) => {
      void reportProgress({ progress: Number.NaN });
      void reportLog({ level: 'fatal', message: 'x' } as never);
      return 'done';
    });
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({ result: { result: 'done' } });
  });

  it('does not have to await a question, even if the run ends', async () => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, (_args, context) => {
      void context.ask({ name: 'colour', prompt: 'Which?' });
      void context.ask({ name: '', prompt: '' });
      return 'ok';
    });
    const events = await collect(setup.agent.stream('go'));
    expect(events.map(({ name }) => name)).toContain('interrupt_required');
    expect(events.at(-1)?.payload).toMatchObject({ result: { result: 'ok' } });
    // An unhandled rejection would be reported once the promises have settled, and fail the test.
    await new Promise(setImmediate);
  });

  it('asks a user through an interrupt of the run', async () => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, async (_args, context) =>
      context.ask({ name: 'size', prompt: 'How large?', choices: ['small', 'large'] }),
    );
    const run = setup.agent.stream('go');
    for await (const { name, payload } of run) {
      if (name !== 'interrupt_required') continue;
      expect(payload).toMatchObject({
        prompt: 'How large?',
        input_type: 'choice',
        assignment_id: 'ev-1',
        arg_name: 'size',
      });
      await run.answer(String(payload['interrupt_id']), 'large');
    }
    await expect(run.response).resolves.toMatchObject({ result: { status: 'ok', result: 'large' } });
  });

  it('fails with INTERRUPT_EXPIRED if nobody answers, and its question contains no private values', async () => {
    await using setup = await startAgent(callOnce, { privateData: { token: 'private-token-1' } });
    setup.agent.toolify(declaration, async (_args, context) =>
      context.ask({
        name: 'size',
        prompt: 'Use private-token-1?',
        choices: ['private-token-1', 'no'],
        expiresInMs: 20,
      }),
    );
    const run = setup.agent.stream('go');
    const question = (await collect(run)).find(({ name }) => name === 'interrupt_required');
    expect(question?.payload).toMatchObject({ prompt: 'Use {_{token}_}?', choices: ['{_{token}_}', 'no'] });
    await expect(run.response).resolves.toMatchObject({ result: { error: { code: 'INTERRUPT_EXPIRED' } } });
  });

  it.each<[string, Partial<ToolQuestion>, string]>([
    ['an unknown input type', { inputType: 'date' as never }, 'TOOL_INVALID_INTERRUPT'],
    ['a choice without choices', { inputType: 'choice' }, 'TOOL_INVALID_INTERRUPT'],
    ['choices for a text input', { inputType: 'text', choices: ['a'] }, 'TOOL_INVALID_INTERRUPT'],
    ['choices that are not an array', { choices: 'ab' as never }, 'TOOL_INVALID_INTERRUPT'],
    ['an undefined name', { name: undefined as never }, 'TOOL_INVALID_INTERRUPT'],
    ['an empty prompt', { prompt: '' }, 'TOOL_INVALID_INTERRUPT'],
    ['an unknown option', { input_type: 'text' } as never, 'CONFIG_UNKNOWN_OPTION'],
    ['a signal that is none', { signal: 5 as never }, 'TOOL_INVALID_INTERRUPT'],
    ['an expiresInMs of NaN', { expiresInMs: Number.NaN }, 'CONFIG_INVALID_DURATION'],
  ])('gets an error if it asks with %s', async (_name, more, code) => {
    await using setup = await startAgent(callOnce, { interruptService: { ask: async () => 'a' } });
    setup.agent.toolify(declaration, async (_args, context) =>
      context.ask({ name: 'size', prompt: 'How large?', ...more }),
    );
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({
      result: { status: 'error', error: { code } },
    });
  });

  it('can withdraw its question', async () => {
    await using setup = await startAgent(callOnce);
    const reason = new Error('No longer needed');
    const withdrawal = new AbortController();
    setup.agent.toolify(declaration, async (_args, context) =>
      context
        .ask({ name: 'size', prompt: 'How large?', signal: withdrawal.signal })
        .catch((error: unknown) => (error === reason ? 'withdrawn' : error)),
    );
    const run = setup.agent.stream('go');
    for await (const { name, payload } of run) {
      if (name !== 'interrupt_required') continue;
      withdrawal.abort(reason);
      await new Promise(setImmediate);
      const late = run.answer(String(payload['interrupt_id']), 'large');
      await expect(late).rejects.toMatchObject({ code: 'INTERRUPT_NOT_OPEN' });
    }
    await expect(run.response).resolves.toMatchObject({ result: { status: 'ok', result: 'withdrawn' } });
  });

  it('gets an error if it asks without a question', async () => {
    await using setup = await startAgent(callOnce, { interruptService: { ask: async () => 'a' } });
    setup.agent.toolify(declaration, async (_args, context) => context.ask(undefined as never));
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({
      result: { status: 'error', error: { code: 'CONFIG_INVALID_OPTION' } },
    });
  });

  it('gets INTERRUPT_UNATTENDED if nobody can be asked', async () => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, async (_args, context) =>
      context.ask({ name: 'size', prompt: 'How large?' }),
    );
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({
      result: { status: 'error', error: { code: 'INTERRUPT_UNATTENDED' } },
    });
  });
});
