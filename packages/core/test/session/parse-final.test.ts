import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../agent-setup.js';

describe('a final event', () => {
  it.each<[string, object, object]>([
    ['token counts', { token_usage: { input_tokens: '12' } }, { tokenUsage: undefined }],
    ['metadata', { metadata: 'none' }, { metadata: {} }],
    [
      'other fields',
      { messages: {}, started_at: 1, completed_at: 2, stop_reason: 3 },
      { status: 'completed' },
    ],
  ])('keeps its answer despite malformed %s', async (_name, odd, expected) => {
    await using setup = await startAgent((session) =>
      session.send('final', { status: 'completed', responses: ['Paid.'], result: { paid: 1 }, ...odd }),
    );
    const response = await setup.agent.invoke('x');
    expect(response).toMatchObject({ response: 'Paid.', result: { paid: 1 }, ...expected });
  });

  it.each([
    ['status', { status: 5 }],
    ['error', { error: { message: 'broke' } }],
    ['answer', { responses: 'no list' }],
    ['error (besides malformed token counts)', { error_info: 'broke', token_usage: 5 }],
  ])('is an error, not a success, if it has an unreadable %s', async (_name, odd) => {
    await using setup = await startAgent((session) => session.send('final', odd));
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'RUN_INVALID_FINAL' });
  });

  it('is an error that stays short, however many of its texts are invalid', async () => {
    const responses = Array<number>(1000).fill(0);
    await using setup = await startAgent((session) => session.send('final', { responses }));
    const error: unknown = await setup.agent.invoke('x').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'RUN_INVALID_FINAL' });
    expect(inspect(error).length).toBeLessThan(5_000);
  });

  it.each([
    ['is not JSON', '{"status": "compl'],
    ['is an array', '[]'],
    ['is empty', ''],
    ['does not say how the run ended', '{"session_id": "s"}'],
  ])('is an error, not a success without an answer, if its data %s', async (_name, data) => {
    await using setup = await startAgent((session) => session.sendRaw(`event: final\ndata: ${data}\n\n`));
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'RUN_INVALID_FINAL' });
  });

  it('is a success if its result is null, since a tool may return nothing', async () => {
    await using setup = await startAgent((session) => session.send('final', { result: null }));
    expect(await setup.agent.invoke('x')).toMatchObject({ status: 'completed', result: null });
  });
});
