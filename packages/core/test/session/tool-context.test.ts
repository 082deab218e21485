import { describe, expect, it } from 'vitest';
import type { ToolContext } from '../../src/tools/tool.js';
import type { ToolQuestion } from '../../src/tools/tool-reports.js';
import { collect, startAgent } from '../agent-setup.js';
import type { Script } from '../../src/testing/scripted-orchestrator.js';

const callOnce: Script = async (session) => {
  const result = await session.callTool('long_work', {}, 'ev-1');
  session.finish({ responses: ['done'], result });
};
const declaration = { name: 'long_work', description: 'Takes long' };
const privateData = { card_token: 'tok_9f31-secret' };

describe('a running tool', () => {
  it('shows how far it is on its own card, without private values', async () => {
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

  it('shows lines as custom events of the contract, without private values', async () => {
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
    ['progress that is no number', async ({ reportProgress }) => reportProgress({ progress: Number.NaN })],
    ['a line without a text', async ({ reportLog }) => reportLog({ level: 'info' } as never)],
    [
      'a level that does not exist',
      async ({ reportLog }) => reportLog({ level: 'fatal', message: 'x' } as never),
    ],
  ])('is told when it reports %s', async (_name, report) => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, async (_args, context) => report(context));
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({
      result: { status: 'error', error: { code: 'TOOL_INVALID_REPORT' } },
    });
  });

  it('may leave reports alone, also those that fail', async () => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, (_args, { reportProgress, reportLog }) => {
      void reportProgress({ progress: Number.NaN });
      void reportLog({ level: 'fatal', message: 'x' } as never);
      return 'done';
    });
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({ result: { result: 'done' } });
  });

  it('may leave a question alone, also when the run ends', async () => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, (_args, context) => {
      void context.ask({ name: 'colour', prompt: 'Which?' });
      void context.ask({ name: '', prompt: '' });
      return 'ok';
    });
    const events = await collect(setup.agent.stream('go'));
    expect(events.map(({ name }) => name)).toContain('interrupt_required');
    expect(events.at(-1)?.payload).toMatchObject({ result: { result: 'ok' } });
    // What nobody handles is told once the promises have settled, and fails the test.
    await new Promise(setImmediate);
  });

  it('asks a person by an interrupt of the run', async () => {
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

  it('is told when nobody answered in time, and nothing private stands in what is asked', async () => {
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
    const asked = (await collect(run)).find(({ name }) => name === 'interrupt_required');
    expect(asked?.payload).toMatchObject({ prompt: 'Use {_{token}_}?', choices: ['{_{token}_}', 'no'] });
    await expect(run.response).resolves.toMatchObject({ result: { error: { code: 'INTERRUPT_EXPIRED' } } });
  });

  it.each<[string, Partial<ToolQuestion>, string]>([
    ['an input type that does not exist', { inputType: 'date' as never }, 'TOOL_INVALID_INTERRUPT'],
    ['a choice without choices', { inputType: 'choice' }, 'TOOL_INVALID_INTERRUPT'],
    ['choices of a text', { inputType: 'text', choices: ['a'] }, 'TOOL_INVALID_INTERRUPT'],
    ['choices that are no list', { choices: 'ab' as never }, 'TOOL_INVALID_INTERRUPT'],
    ['nothing that has a name', { name: undefined as never }, 'TOOL_INVALID_INTERRUPT'],
    ['nothing', { prompt: '' }, 'TOOL_INVALID_INTERRUPT'],
    ['something by an option that does not exist', { input_type: 'text' } as never, 'CONFIG_UNKNOWN_OPTION'],
    ['a time that is none', { expiresInMs: Number.NaN }, 'CONFIG_INVALID_DURATION'],
  ])('is told when it asks for %s', async (_name, more, code) => {
    await using setup = await startAgent(callOnce, { interruptService: { ask: async () => 'a' } });
    setup.agent.toolify(declaration, async (_args, context) =>
      context.ask({ name: 'size', prompt: 'How large?', ...more }),
    );
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({
      result: { status: 'error', error: { code } },
    });
  });

  it('is told when it asks without a question', async () => {
    await using setup = await startAgent(callOnce, { interruptService: { ask: async () => 'a' } });
    setup.agent.toolify(declaration, async (_args, context) => context.ask(undefined as never));
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({
      result: { status: 'error', error: { code: 'CONFIG_INVALID_OPTION' } },
    });
  });

  it('is told when nobody can be asked', async () => {
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, async (_args, context) =>
      context.ask({ name: 'size', prompt: 'How large?' }),
    );
    await expect(setup.agent.invoke('go')).resolves.toMatchObject({
      result: { status: 'error', error: { code: 'INTERRUPT_UNATTENDED' } },
    });
  });
});
