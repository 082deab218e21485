import { describe, expect, it } from 'vitest';
import { readSessionState } from '../../../src/sessions/record/find-session.js';
import { request, toolSpec } from '../../support/requests.js';
import { call, finish, scriptedPlanner } from '../../support/scripted-planner.js';
import { SessionBench } from '../../support/session-bench.js';

const toolTimeoutMs = 60_000;
const question = { question_id: 'tone', prompt: 'Which tone?', input_type: 'text' } as const;
const researcher = toolSpec(
  'researcher',
  { prompt: { type: 'string' } },
  { tool_type: 'agent', metadata: { target_agent_id: 'ag-1' } },
);

/** Opens a run that waits for a member, and the member's session, which waits for an answer. */
async function openSwarm({ project = 'p', callSuffix = '' } = {}) {
  const planner = scriptedPlanner(({ constraints }) =>
    constraints.invocation
      ? [{ type: 'ask', questions: [question] }, finish('facts')]
      : [call(['t-researcher', { prompt: 'facts?' }]), finish('told')],
  );
  const bench = new SessionBench({ planner });
  const parent = await bench.start(request('go', [researcher]));
  const { id: callId } = await bench.call(parent, 'researcher');
  const swarm_config = {
    agent_invocation: true,
    invoked_agent_id: 'ag-1',
    agent_roster: [],
    parent_session_id: parent,
    parent_tool_event_id: callId + callSuffix,
  };
  const nested = await bench.start(request('facts?', [], { swarm_config }), { projectId: project });
  const { checkpoint_id } = await bench.interrupt(nested, 'tone');
  const callState = async () => (await readSessionState(bench.store, parent)).calls.get(callId);
  /** Advances the clock and waits until the call has an outcome or a later expiry. */
  const pass = async (byMs: number) => {
    bench.clock.advance(byMs);
    const isSettled = async () => {
      const { outcome, expiresAtMs = 0 } = (await callState()) ?? {};
      return outcome !== undefined || expiresAtMs > bench.clock.nowMs();
    };
    await expect.poll(isSettled).toBe(true);
  };
  const answer = async () => {
    await bench.answer(checkpoint_id, { tone: 'kind' });
    await bench.final(nested);
  };
  return { bench, parent, nested, callId, callState, pass, answer };
}

describe('a call answered by a nested session', () => {
  it.each([
    ['a member', ''],
    ['a producer that the client runs for the call', '/researcher'],
  ])('does not expire while the nested session of %s is open', async (_, callSuffix) => {
    const { bench, parent, callId, pass, answer } = await openSwarm({ callSuffix });
    for (let round = 0; round < 3; round += 1) await pass(3 * toolTimeoutMs);
    await answer();
    expect(await bench.post(parent, callId, { response: 'facts' })).toEqual({ accepted: true });
    expect(await bench.final(parent)).toMatchObject({ status: 'completed', response: 'told' });
  });

  it.each([
    ['has ended', async ({ answer }: Awaited<ReturnType<typeof openSwarm>>) => answer()],
    [
      'was cancelled',
      async ({ bench, nested }: Awaited<ReturnType<typeof openSwarm>>) => {
        await bench.cancel(nested);
        await bench.final(nested);
      },
    ],
  ])('gets its full timeout once the nested session %s, then fails', async (_, end) => {
    const swarm = await openSwarm();
    const { bench, callState, pass } = swarm;
    await pass(toolTimeoutMs);
    bench.clock.advance(toolTimeoutMs / 2);
    await end(swarm);
    const endedAtMs = bench.clock.nowMs();
    await pass(toolTimeoutMs / 2);
    expect(await callState()).toMatchObject({ expiresAtMs: endedAtMs + toolTimeoutMs });
    await pass(toolTimeoutMs / 2);
    expect(await callState()).toMatchObject({
      outcome: { status: 'error', error: { code: 'TOOL_TIMEOUT' } },
      cause: 'expired',
      endedAtMs: endedAtMs + toolTimeoutMs,
    });
    expect(await bench.final(swarm.parent)).toMatchObject({ status: 'completed' });
  });

  it('fails at its own expiry when the nested session was swept from the store', async () => {
    const { bench, nested, callState, pass } = await openSwarm();
    await bench.cancel(nested);
    await bench.final(nested);
    await bench.store.sweep({ endedBeforeMs: bench.clock.nowMs() + 1, nowMs: bench.clock.nowMs() });
    await pass(toolTimeoutMs);
    expect(await callState()).toMatchObject({ outcome: { error: { code: 'TOOL_TIMEOUT' } } });
  });

  it('is not kept open by a session of another project that names it', async () => {
    const { bench, parent, callState, pass } = await openSwarm({ project: 'other' });
    await pass(toolTimeoutMs);
    expect(await callState()).toMatchObject({ outcome: { error: { code: 'TOOL_TIMEOUT' } } });
    const journal = await bench.store.readJournal(parent, { afterSeq: 0, limit: 1000 });
    expect(journal.filter(({ kind }) => kind === 'nested')).toEqual([]);
  });
});
