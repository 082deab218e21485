import { describe, expect, it } from 'vitest';
import { startAgent } from '../agent-setup.js';

describe('a final event', () => {
  it.each<[string, object, object]>([
    ['counts', { token_usage: { input_tokens: '12' } }, { tokenUsage: undefined }],
    ['labels', { metadata: 'none' }, { metadata: {} }],
    ['several', { messages: {}, started_at: 1, completed_at: 2, stop_reason: 3 }, { status: 'completed' }],
  ])('with odd %s keeps its answer', async (_name, odd, expected) => {
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
    ['error besides odd counts', { error_info: 'broke', token_usage: 5 }],
  ])('whose %s nobody can read is an error, not a success', async (_name, odd) => {
    await using setup = await startAgent((session) => session.send('final', odd));
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'RUN_INVALID_FINAL' });
  });

  it.each([
    ['is no JSON', '{"status": "compl'],
    ['is a list', '[]'],
    ['is empty', ''],
    ['tells nothing of its end', '{"session_id": "s"}'],
  ])('whose data %s is an error, not a success without an answer', async (_name, data) => {
    await using setup = await startAgent((session) => session.sendRaw(`event: final\ndata: ${data}\n\n`));
    await expect(setup.agent.invoke('x')).rejects.toMatchObject({ code: 'RUN_INVALID_FINAL' });
  });

  it('whose result is null is a success: a tool may give nothing', async () => {
    await using setup = await startAgent((session) => session.send('final', { result: null }));
    expect(await setup.agent.invoke('x')).toMatchObject({ status: 'completed', result: null });
  });
});
