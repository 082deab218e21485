import pLimit from 'p-limit';
import { expect, it } from 'vitest';
import { Agent } from '../../src/agents/agent.js';
import { agentPartsOf } from '../../src/agents/agent-parts.js';
import { memberContext, withMemberTimeout } from '../../src/agents/member-context.js';
import type { AgentOptions } from '../../src/agents/scope-options.js';
import type { RunContext } from '../../src/session/run-context.js';

function partsOf(options: Partial<AgentOptions> = {}) {
  const parts = agentPartsOf(new Agent({ name: 'member', apiKey: 'k', ...options }));
  if (!parts) throw new TypeError('no agent');
  return parts;
}

/** A run context with only these fields. */
const runWith = (parts: Partial<RunContext>): RunContext => Object.assign(Object.create(null), parts);

it('a member uses its own interrupt service if it has one, otherwise that of the run', () => {
  const [own, shared] = [{ ask: async () => 'own' }, { ask: async () => 'shared' }];
  const context = runWith({ interruptService: shared });
  expect(memberContext(context, partsOf({ interruptService: own })).interruptService).toBe(own);
  expect(memberContext(context, partsOf()).interruptService).toBe(shared);
});

it('a call waiting for a slot of its member takes no slot of the run, whose limit still applies', async () => {
  const limit = pLimit(2);
  const context = runWith({ limit });
  const member = memberContext(context, partsOf({ maxParallelTools: 1 }));
  const other = memberContext(context, partsOf({ maxParallelTools: 8 }));
  const end = Promise.withResolvers<void>();
  const working: string[] = [];
  const work = (name: string) => async () => {
    working.push(name);
    await end.promise;
  };
  const calls = [
    member.limit(work('first')),
    member.limit(work('second')),
    other.limit(work('other')),
    other.limit(work('beyond')),
  ];
  await expect.poll(() => [limit.activeCount, limit.pendingCount]).toEqual([2, 1]);
  expect(working).toEqual(['first', 'other']);
  end.resolve();
  await Promise.all(calls);
  expect(working.toSorted()).toEqual(['beyond', 'first', 'other', 'second']);
});

it('a member that times out aborts its own signals but not those of the run', async () => {
  const [run, work] = [new AbortController(), new AbortController()];
  const context = runWith({ signal: run.signal, workSignal: work.signal });
  const ended: unknown[] = [];
  const hang = async ({ signal, workSignal }: RunContext) => {
    for (const each of [signal, workSignal])
      each.addEventListener('abort', () => ended.push(Object(each.reason).code));
    return new Promise<never>(() => {});
  };
  const timed = withMemberTimeout(partsOf({ timeoutMs: 1 }), context, hang);
  await expect(timed).rejects.toMatchObject({ code: 'RUN_TIMEOUT', details: { timeout_ms: 1 } });
  expect(ended).toEqual(['RUN_TIMEOUT', 'RUN_TIMEOUT']);
  expect([run.signal.aborted, work.signal.aborted]).toEqual([false, false]);
});

it('a member’s work signal aborts with the work signal of its run', async () => {
  const [run, work] = [new AbortController(), new AbortController()];
  const context = runWith({ signal: run.signal, workSignal: work.signal });
  await withMemberTimeout(partsOf({ timeoutMs: 60_000 }), context, async ({ workSignal, signal }) => {
    work.abort(new Error('stopped'));
    expect([workSignal.aborted, signal.aborted]).toEqual([true, false]);
  });
});
