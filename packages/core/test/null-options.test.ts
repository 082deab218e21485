import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnInterrupt } from '../src/decorators/depends-on.js';
import {
  dependsOnAwaitFor,
  dependsOnReevaluate,
  requiresProducerReference,
} from '../src/decorators/order.js';
import { toolify } from '../src/decorators/toolify.js';
import { toolset } from '../src/decorators/toolset.js';
import type { RunOptions } from '../src/invocation/run-options.js';
import { configureLogging } from '../src/logging/logger.js';
import { RedactedMessage } from '../src/messages/message.js';
import { createCronSchedule } from '../src/scheduling/schedule/cron-schedule.js';
import { ManualClock } from '../src/scheduling/clock/manual-clock.js';
import type { ComposePolicy } from '../src/tools/declaration/compose-policy.js';
import { memoryReceiptStore } from '../src/tools/receipts/receipts.js';
import { collect, startAgent } from './agent-setup.js';

/** What JavaScript callers and parsed JSON pass for an absent option. */
const nothing = null as never;
const input = z.object({ text: z.string() });

@toolset({ prefix: nothing, tags: nothing, metadata: nothing })
class Desk {
  @toolify({ description: 'Find', name: nothing })
  find() {}
}

describe('a null option is treated as absent', () => {
  it.each<[string, () => unknown, () => unknown]>([
    [
      'in dependsOnInterrupt',
      () => dependsOnInterrupt({ prompt: 'p', choices: nothing, inputType: nothing, expiresInMs: nothing }),
      () => dependsOnInterrupt({ prompt: 'p' }),
    ],
    [
      'in dependsOnAwaitFor',
      () => dependsOnAwaitFor('a', { timing: nothing, instanceControl: nothing }),
      () => dependsOnAwaitFor('a'),
    ],
    [
      'in dependsOnReevaluate',
      () => dependsOnReevaluate('a', { timing: nothing, instanceControl: nothing }),
      () => dependsOnReevaluate('a'),
    ],
    [
      'in requiresProducerReference',
      () => requiresProducerReference({ argumentPath: 'a', producer: 'b', referenceKind: nothing }),
      () => requiresProducerReference({ argumentPath: 'a', producer: 'b' }),
    ],
    [
      'in a compose policy',
      () => policiesOf({ text: { mode: nothing, approval: nothing } }),
      () => policiesOf({ text: {} }),
    ],
    ['in toolify (composePolicies)', () => policiesOf(nothing), () => policiesOf({})],
    [
      'in a cron schedule',
      () => createCronSchedule('0 9 * * *', { timezone: nothing }).nextAfter(0, 0),
      () => createCronSchedule('0 9 * * *').nextAfter(0, 0),
    ],
    [
      'in configureLogging',
      () => configureLogging({ level: 'silent', format: nothing, sink: nothing }),
      () => configureLogging({ level: 'silent' }),
    ],
  ])('%s', (_name, given, absent) => {
    expect(fieldsOf(given())).toEqual(fieldsOf(absent()));
  });

  it('in a toolset and a model tool', async () => {
    await using setup = await startAgent(() => {});
    const Invoice = z.object({ total: z.number() }).meta({ id: 'Invoice', description: 'An invoice' });
    setup.agent.addToolset(new Desk()).addTool(Invoice, { name: nothing, description: nothing });
    expect(setup.agent.listTools().map(({ name }) => name)).toEqual(['DESK_find', 'Invoice']);
  });

  it('in a run, a batch, a schedule and a redaction preview', async () => {
    await using setup = await startAgent((session) => session.finish({ responses: ['ok'] }));
    const { agent } = setup;
    const structured = agent.structuredOutput(input);
    expect((await agent.invoke('x', nothing)).response).toBe('ok');
    expect((await agent.stream('x', nothing).response).response).toBe('ok');
    expect(await agent.batch(['x', 'y'], nothing)).toHaveLength(2);
    expect(() => structured.stream('x', nothing)).not.toThrow();
    expect(agent.previewRedaction(new RedactedMessage('mail a@b.example'), nothing).redactedValueCount).toBe(
      1,
    );
    const clock = new ManualClock();
    const job = agent.every(60_000).withClock(clock).invoke('x', nothing);
    await clock.advance(60_000);
    await expect.poll(() => job.counters.succeeded).toBe(1);
  });

  it('in a question that a running tool asks', async () => {
    await using setup = await startAgent(
      async (session) => session.finish({ result: await session.callTool('t') }),
      { interruptService: { ask: async () => 'green' } },
    );
    const more = { choices: nothing, inputType: nothing, expiresInMs: nothing };
    setup.agent.toolify({ name: 't', description: 't' }, (_args, { ask }) =>
      ask({ name: 'color', prompt: 'Which?', ...more }),
    );
    expect((await setup.agent.invoke('x')).result).toEqual({ status: 'ok', result: 'green' });
  });

  it('in the progress and logs that a running tool reports', async () => {
    await using setup = await startAgent(
      async (session) => session.finish({ result: await session.callTool('t') }),
      { privateData: { token: 'private-token-1' } },
    );
    setup.agent.toolify({ name: 't', description: 't' }, async (_args, { reportProgress, reportLog }) => {
      await reportProgress({ progress: 1, total: nothing, message: nothing });
      await reportLog({ level: 'info', message: 'half way', source: nothing });
    });
    const events = await collect(setup.agent.stream('x'));
    expect(events.map(({ payload }) => Object(payload).tool?.progress)).toContainEqual({ progress: 1 });
    expect(events.find(({ name }) => name === 'tool_log')?.payload).toMatchObject({ source: null });
  });

  it.each([nothing, undefined])(
    'in the configs of a run, which keep the scope’s values (%s)',
    async (absent) => {
      const scope: RunOptions = {
        orchestrationConfig: { mode: 'hybrid', maxCycles: 3 },
        systemToolsConfig: { allowedTools: ['think'] },
        memoryConfig: { level: 'focus', retrieval: { topK: 5 } },
        memoryAssetsConfig: { recallTurnActive: true },
      };
      const call: RunOptions = {
        orchestrationConfig: { mode: absent, maxCycles: 2 },
        systemToolsConfig: { allowedTools: absent },
        memoryConfig: { level: absent, retrieval: { topK: absent } },
        memoryAssetsConfig: { recallTurnActive: absent, definedSkills: absent },
      };
      await using setup = await startAgent((session) => session.finish(), scope);
      await setup.agent.invoke('x', call);
      const [body] = setup.bodies('/start-session');
      expect(Object(body).state).toMatchObject({
        orchestration_config: { mode: 'hybrid', max_cycles: 2 },
        system_tools_config: { allowed_tools: ['think'] },
        memory_config: { level: 'focus', retrieval: { top_k: 5 } },
        memory_assets_config: { recall_turn_active: true },
      });
    },
  );
});

it('a receipt store may return null from find() for an unknown call', async () => {
  const receipts = { ...memoryReceiptStore(), find: async () => nothing };
  await using setup = await startAgent(
    async (session) => session.finish({ result: await session.callTool('t') }),
    { receipts },
  );
  setup.agent.toolify({ name: 't', description: 't', permissions: ['write'] }, () => 'written');
  expect((await setup.agent.invoke('x')).result).toEqual({ status: 'ok', result: 'written' });
});

it.each([[{ mod: 'forbid' }], ['forbid'], [null], [5]])('refuses %j as a compose policy', (policy) => {
  expect(() => policiesOf({ text: policy as never })).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID_POLICY' }),
  );
});

/** The value, or the own properties of a decorator, which is a function. */
function fieldsOf(value: unknown): unknown {
  return typeof value === 'function' ? { ...value } : value;
}

function policiesOf(composePolicies: Readonly<Record<string, ComposePolicy>>) {
  const tool = toolify({ name: 't', description: 't', input, composePolicies }, () => 1);
  return [...tool.composePolicies];
}
