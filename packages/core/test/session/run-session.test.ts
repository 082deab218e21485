import { describe, expect, it } from 'vitest';
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
