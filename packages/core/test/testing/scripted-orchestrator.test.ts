import { describe, expect, it } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import { SCRIPTED_API_KEY, startScriptedOrchestrator } from '../../src/testing/scripted-orchestrator.js';

describe('a scripted orchestrator', () => {
  it('replays a recording and waits for the results of its tool calls', async () => {
    await using orchestrator = await startScriptedOrchestrator([
      { name: 'status_message', payload: { message: 'Looking' } },
      { name: 'tool_event', payload: { id: 'ev-1', value: { tool_call: { tool_id: 't', args: {} } } } },
      { name: 'final', payload: { session_id: 's', status: 'completed', responses: ['done'] } },
    ]);
    const agent = new Agent({ name: 'a', client: orchestrator.client() });
    let hasRun = false;
    agent.toolify({ name: 't', description: 't' }, () => (hasRun = true));
    const run = agent.stream('x');
    const names: string[] = [];
    for await (const { name } of run) names.push(name);
    expect(names).toEqual(['status_message', 'tool_event', 'tool_event', 'final']);
    expect([(await run.response).response, hasRun]).toEqual(['done', true]);
  });

  it('records its requests and sessions', async () => {
    await using orchestrator = await startScriptedOrchestrator((session) => session.finish(), {
      intercept: null as never,
    });
    await new Agent({ name: 'a', client: orchestrator.client() }).invoke('x', { threadId: 't-1' });
    expect(orchestrator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /start-session',
      'GET /sessions/session-1/events',
    ]);
    expect(orchestrator.requests[0]?.headers.authorization).toBe(`Bearer ${SCRIPTED_API_KEY}`);
    expect(orchestrator.sessions.get('session-1')).toMatchObject({
      threadId: 't-1',
      state: { messages: [{ content: 'x' }] },
    });
  });

  it('answers a repeated start with the same session', async () => {
    const opened: string[] = [];
    await using orchestrator = await startScriptedOrchestrator((session) => {
      opened.push(session.sessionId);
      session.finish();
    });
    await new Agent({ name: 'a', client: orchestrator.client() }).invoke('x');
    const [start] = orchestrator.requests;
    const again = async (key: unknown) => {
      const headers = { 'idempotency-key': String(key) };
      const body = JSON.stringify(start?.body);
      const answer = await fetch(`${orchestrator.url}/start-session`, { method: 'POST', headers, body });
      return Object(await answer.json()).session_id;
    };
    expect(await again(start?.headers['idempotency-key'])).toBe('session-1');
    expect(await again('another')).toBe('session-2');
    expect(opened).toEqual(['session-1', 'session-2']);
  });

  it('accepts the result of a call only once', async () => {
    await using orchestrator = await startScriptedOrchestrator(async (session) => {
      session.finish({ result: await session.callTool('t') });
    });
    const agent = new Agent({ name: 'a', client: orchestrator.client() });
    agent.toolify({ name: 't', description: 't' }, () => 1);
    await agent.invoke('x');
    const { path, body } = orchestrator.requests.find((request) => request.path.endsWith('/resume')) ?? {};
    const again = await fetch(`${orchestrator.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(await again.json()).toEqual({ accepted: false, reason: 'duplicate' });
  });

  it('passes the result of a call to everyone who waits for it', async () => {
    let results: unknown[] = [];
    await using orchestrator = await startScriptedOrchestrator(async (session) => {
      results = await Promise.all([session.posted('ev-1'), session.callTool('t', {}, 'ev-1')]);
      session.finish();
    });
    const agent = new Agent({ name: 'a', client: orchestrator.client() });
    agent.toolify({ name: 't', description: 't' }, () => 1);
    await agent.invoke('x', { timeoutMs: 5_000 });
    expect(results).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });

  it('fails the run and rejects its first close() when the script throws', async () => {
    const orchestrator = await startScriptedOrchestrator(() => {
      throw new Error('wrong script');
    });
    const agent = new Agent({ name: 'a', client: orchestrator.client() });
    await expect(agent.invoke('x')).rejects.toMatchObject({ code: 'RUN_FAILED' });
    await expect(orchestrator.close()).rejects.toThrow('wrong script');
    await orchestrator.close();
  });

  it('answers unknown paths, sessions and checkpoints with 404', async () => {
    await using orchestrator = await startScriptedOrchestrator(() => {});
    for (const path of ['/what', '/sessions/none/events', '/api/v1/checkpoints/none/resume']) {
      expect((await fetch(`${orchestrator.url}${path}`)).status).toBe(404);
    }
  });

  it.each<[unknown, object?]>([
    [5],
    [null],
    [undefined],
    [{}],
    [() => {}, { intercept: 5 }],
    [() => {}, { on: 1 }],
  ])('refuses to start with %o %o', async (script, options) => {
    await expect(startScriptedOrchestrator(script as never, options)).rejects.toMatchObject({
      code: expect.stringMatching(/^CONFIG_(?:INVALID|UNKNOWN)_OPTION$/),
    });
  });
});
