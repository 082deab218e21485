import { PROTOCOL_VERSION } from '@svc/contracts/orchestrator';
import { afterEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/logging/log-record.js';
import { configureLogging } from '../../src/logging/logger.js';
import type { AgentRun } from '../../src/session/agent-run.js';
import type { RecordedRequest } from '../../src/testing/scripted-orchestrator.js';
import { startAgent } from '../agent-setup.js';

describe('a run that is ended during its start request', () => {
  it.each<[string, (run: AgentRun, controller: AbortController) => unknown]>([
    ['by its signal', (_run, controller) => controller.abort()],
    ['by cancel()', (run) => run.cancel()],
  ])('%s leaves no session on the orchestrator', async (_name, end) => {
    const controller = new AbortController();
    const ended = Promise.withResolvers<void>();
    const intercept = async ({ path }: RecordedRequest): Promise<undefined> => {
      if (path !== '/start-session') return;
      void end(run, controller);
      // Answers only after the run has ended.
      await ended.promise;
    };
    await using setup = await startAgent(
      async (session) => {
        await new Promise((resolve) => session.signal.addEventListener('abort', resolve));
      },
      {},
      { intercept },
    );
    const run = setup.agent.stream('x', { signal: controller.signal });
    await run.response.catch(() => ended.resolve());
    await setup.agent.close();
    const { requests } = setup.orchestrator;
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /start-session',
      'DELETE /sessions/session-1',
    ]);
  });
});

describe('the protocol version of an orchestrator', () => {
  afterEach(() => configureLogging({ level: 'silent' }));

  it.each([
    ['is not mentioned if it is the SDK’s own', PROTOCOL_VERSION, []],
    ['is not mentioned if it is unknown', null, []],
    ['leads to a warning if it is another one', '99', [{ orchestrator_version: '99', sdk_version: '1' }]],
  ])('%s', async (_, protocol_version, expected) => {
    const warnings: LogRecord[] = [];
    configureLogging({ level: 'warn', sink: (record) => void warnings.push(record) });
    const final = `event: final\ndata: ${JSON.stringify({ status: 'completed', response: 'fine' })}\n\n`;
    await using setup = await startAgent(
      () => {},
      {},
      {
        intercept: ({ method, path, headers }) => {
          const url = `http://${headers.host}/sessions/s/`;
          if (method === 'GET')
            return { status: 200, text: final, headers: { 'content-type': 'text/event-stream' } };
          if (path !== '/start-session') return undefined;
          const urls = { events_url: `${url}events`, resume_url: `${url}resume` };
          return { status: 200, body: { session_id: 's', ...urls, protocol_version } };
        },
      },
    );
    expect(await setup.agent.invoke('x')).toMatchObject({ response: 'fine' });
    expect(warnings.map(({ fields }) => fields)).toMatchObject(expected);
  });
});
