import { describe, expect, it } from 'vitest';
import { SCRIPTED_API_KEY } from '../../src/testing.js';
import { collect, startAgent } from '../agent-setup.js';

describe('a run that ends', () => {
  it('without a final event fails with the message of the error event', async () => {
    await using setup = await startAgent((session) => {
      session.send('error', { error: 'server exploded', details: {} });
      session.hangUp();
    });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      code: 'RUN_STREAM_ERROR',
      message: expect.stringContaining('server exploded'),
    });
    expect(setup.bodies('/events')).toHaveLength(1);
  });

  it('as failed has the first error event as its cause', async () => {
    await using setup = await startAgent((session) => {
      session.send('error', { error: 'server exploded' });
      session.send('error', { error: 'and burned' });
      session.fail('the run failed');
    });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('the run failed'),
      cause: { code: 'RUN_STREAM_ERROR', message: 'server exploded' },
      response: { status: 'failed' },
    });
  });

  it('hides secrets in error messages of the orchestrator', async () => {
    const message = `refused tok_9f31 of ${SCRIPTED_API_KEY}`;
    const hidden = 'refused {_{card_token}_} of {_{SVC_API_KEY}_}';
    const privateData = { card_token: 'tok_9f31' };
    await using failed = await startAgent(
      (session) => {
        session.send('error', { error: message });
        session.fail(message);
      },
      { privateData },
    );
    await expect(failed.agent.invoke('x')).rejects.toMatchObject({
      message: `The run ended with status 'failed': ${hidden}`,
      cause: { message: hidden },
      response: { error: { message: hidden } },
    });
    await using cut = await startAgent(
      (session) => {
        session.send('error', { error: message });
        session.hangUp();
      },
      { privateData },
    );
    await expect(cut.agent.invoke('x')).rejects.toMatchObject({ message: expect.stringContaining(hidden) });
  });

  it('after an error event reports its code as reason_code, with and without a final event', async () => {
    const details = { code: 'KEY_REVOKED' };
    await using cut = await startAgent((session) => {
      session.send('error', { error: 'The key has been revoked.', details });
      session.hangUp();
    });
    await expect(cut.agent.invoke('x')).rejects.toMatchObject({
      code: 'RUN_STREAM_ERROR',
      details: { reason_code: 'KEY_REVOKED' },
    });
    await using failed = await startAgent((session) => {
      session.send('error', { error: 'The key has been revoked.', details });
      session.fail('the run failed');
    });
    await expect(failed.agent.invoke('x')).rejects.toMatchObject({
      cause: { code: 'RUN_STREAM_ERROR', details: { reason_code: 'KEY_REVOKED' } },
    });
  });

  it('as failed reports the reason code, and its thread even if the final event does not name it', async () => {
    await using setup = await startAgent((session) => session.fail('no', 'PLANNER_LOST'));
    await expect(setup.agent.invoke('x', { threadId: 'thread-1' })).rejects.toMatchObject({
      details: { status: 'failed', session_id: 'session-1', reason_code: 'PLANNER_LOST' },
      response: { threadId: 'thread-1' },
    });
  });

  it.each([
    ['no status', {}],
    ['an unknown status', { status: 'crashed' }],
  ])('with an error and %s fails', async (_name, final) => {
    await using setup = await startAgent((session) => {
      session.send('final', { ...final, error: 'it broke', responses: [] });
      session.hangUp();
    });
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('it broke'),
    });
  });

  it('can still succeed after an error event', async () => {
    await using setup = await startAgent((session) => {
      session.send('error', { error: 'a hiccup' });
      session.finish({ responses: ['recovered'] });
    });
    expect((await setup.agent.invoke('x')).response).toBe('recovered');
  });

  it.each([
    ['failed', 'RUN_FAILED'],
    ['cancelled', 'RUN_CANCELLED'],
    ['interrupted', 'RUN_INTERRUPTED'],
  ])('with status %s rejects with the response', async (status, code) => {
    await using setup = await startAgent((session) =>
      session.finish({ status, error: 'it broke', responses: ['so far'], token_usage: { total_tokens: 3 } }),
    );
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({
      name: 'RunFailedError',
      code,
      message: expect.stringContaining('it broke'),
      response: { status, responses: ['so far'], sessionId: 'session-1', tokenUsage: { total_tokens: 3 } },
    });
  });

  it('returns the ids and token counts of the orchestrator', async () => {
    await using setup = await startAgent((session) =>
      session.finish({
        session_id: 'theirs',
        thread_id: 'thread-9',
        assistant_id: 'a',
        responses: ['one', 'two', ' '],
        token_usage: { total_tokens: 5, input_tokens: 3 },
      }),
    );
    expect(await setup.agent.invoke('x')).toMatchObject({
      sessionId: 'theirs',
      threadId: 'thread-9',
      assistantId: 'a',
      response: 'two',
      tokenUsage: { total_tokens: 5, input_tokens: 3, output_tokens: 0 },
    });
  });

  it('aborts tools that are still running', async () => {
    let reason: unknown;
    await using setup = await startAgent((session) => {
      session.send('tool_event', { id: 'ev-1', value: { tool_call: { tool_id: 't', args: {} } } });
    });
    setup.agent.toolify({ name: 't', description: 't' }, async (_args, { signal }) => {
      setup.orchestrator.sessions.get('session-1')?.finish();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      reason = signal.reason;
    });
    const events = await collect(setup.agent.stream('x'));
    expect(events.at(-1)?.name).toBe('final');
    expect(reason).toMatchObject({ name: 'AbortError' });
    expect(setup.bodies('/resume')).toEqual([]);
  });
});
