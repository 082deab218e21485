import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogRecord } from '../../src/logging/log-record.js';
import { configureLogging } from '../../src/logging/logger.js';
import type { StreamEvent } from '../../src/compile/stream-event.js';
import type { Script } from '../../src/testing/scripted-orchestrator.js';
import { startAgent } from '../agent-setup.js';

const declaration = { name: 'long_work', description: 'Takes long' };
const callOnce: Script = async (session) => {
  session.finish({ result: await session.callTool('long_work', {}, 'ev-1') });
};
const progressOf = ({ payload }: StreamEvent): number | undefined =>
  Object(payload['tool']).progress?.progress;

describe('reports that a tool does not await', () => {
  it('are buffered for a slow reader up to a limit, then only the latest is kept, with one warning', async () => {
    const logged: LogRecord[] = [];
    configureLogging({ level: 'warn', sink: (record) => logged.push(record) });
    onTestFinished(() => configureLogging({ level: 'silent' }));
    const reported = Promise.withResolvers<void>();
    const hasLatest = Promise.withResolvers<void>();
    await using setup = await startAgent(callOnce);
    setup.agent.toolify(declaration, async (_args, { reportProgress }) => {
      for (let progress = 1; progress <= 5000; progress += 1) void reportProgress({ progress });
      reported.resolve();
      await hasLatest.promise;
    });
    const shown: (number | undefined)[] = [];
    for await (const event of setup.agent.stream('go')) {
      await reported.promise;
      const progress = progressOf(event);
      if (progress !== undefined) shown.push(progress);
      if (progress === 5000) hasLatest.resolve();
    }
    expect(shown.slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_item, n) => n + 1));
    expect(shown.length).toBeLessThan(2100);
    expect(shown.at(-1)).toBe(5000);
    expect(logged.map(({ message }) => message)).toEqual([
      'Dropped reports of a tool that does not await them.',
    ]);
  });

  it('are not shown after the call has ended', async () => {
    const afterwards = Promise.withResolvers<void>();
    await using setup = await startAgent(async (session) => {
      await session.callTool('long_work', {}, 'ev-1');
      await afterwards.promise;
      session.finish();
    });
    setup.agent.toolify(
      { ...declaration, timeoutMs: 20 },
      async (_args, { signal, reportProgress, reportLog }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        // The timeout is reported to the caller first.
        setImmediate(() => {
          const late = [reportProgress({ progress: 1 }), reportLog({ level: 'info', message: 'late' })];
          void Promise.all(late).then(() => afterwards.resolve());
        });
      },
    );
    const shown: unknown[] = [];
    for await (const { name, payload } of setup.agent.stream('go')) shown.push([name, payload['status']]);
    expect(shown).toEqual([
      ['tool_event', 'executing'],
      ['tool_event', 'failed'],
      ['final', 'completed'],
    ]);
  });
});

it('a question of a call that has ended can no longer be answered', async () => {
  const closed = Promise.withResolvers<unknown>();
  await using setup = await startAgent(async (session) => {
    await session.callTool('long_work', {}, 'ev-1');
    await closed.promise;
    session.finish();
  });
  setup.agent.toolify({ ...declaration, timeoutMs: 20 }, async (_args, { ask }) => {
    await ask({ name: 'size', prompt: 'How large?' }).catch(closed.resolve);
  });
  const run = setup.agent.stream('go');
  let question = '';
  for await (const { name, payload } of run) {
    if (name === 'interrupt_required') question = String(payload['interrupt_id']);
    if (payload['status'] !== 'failed') continue;
    await closed.promise;
    await expect(run.answer(question, 'large')).rejects.toMatchObject({ code: 'INTERRUPT_NOT_OPEN' });
  }
  expect(question).not.toBe('');
});
