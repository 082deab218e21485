import { createValueMatcher } from '@svc/redaction';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventLog } from '../../src/log/event-log.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { sqliteEventLog } from '../../src/log/sqlite-log.js';
import { silentLogger } from '../silent-logger.js';

const values = ['a', 'Analyst', 'Desk', 'parse'].map((value, i) => ({ name: `v${i}`, value }));
const audiences: Audience[] = [
  { audience: 'internal' },
  { audience: 'frontend_safe', privateValues: () => values },
];

interface Audience {
  audience: 'internal' | 'frontend_safe';
  privateValues?: () => typeof values;
}

interface Emission {
  name: string;
  data: Record<string, unknown>;
}

const id = fc.constantFrom('a', 'b', 'c', 'd', undefined);
const name = fc.constantFrom('fetch', 'parse', 'Analyst');
const agent = fc.constantFrom('Analyst', 'writer', undefined);
const swarm = fc.constantFrom('Desk', undefined);
const status = fc.constantFrom('executing', 'completed', 'failed', 'in_progress');

const emission: fc.Arbitrary<Emission> = fc.oneof(
  fc.record({
    name: fc.constant('tool_event'),
    data: fc.record({
      tool_id: id,
      tool_name: name,
      status,
      agent_name: agent,
      swarm_name: swarm,
      tool_type: fc.constantFrom('agent', 'func', 'system'),
      args: fc.constantFrom({}, { q: 1 }, { q: 2 }),
    }),
  }),
  fc.record({
    name: fc.constant('agent_assignment'),
    data: fc.record({ assignment_id: id, agent_name: agent, swarm_name: swarm, status }),
  }),
  fc.record({
    name: fc.constant('system_tool_start'),
    data: fc.record({ tool_id: id, tool_type: name, params: fc.constantFrom({}, { q: 1 }) }),
  }),
  fc.record({
    name: fc.constant('system_tool_complete'),
    data: fc.record({ tool_id: id, result: fc.constant(1) }),
  }),
  fc.record({
    name: fc.constant('enrichment'),
    data: fc.record({
      phase: fc.constant('planning'),
      message: fc.constant('m'),
      scope_id: id,
      scope_name: name,
      scope_type: fc.constantFrom('agent', 'tenant', undefined),
    }),
  }),
  fc.record({
    name: fc.constant('interrupt_required'),
    data: fc.record({
      interrupt_id: id,
      data_key: id,
      prompt: fc.constantFrom('Which?', 'Who?'),
      assignment_id: id,
    }),
  }),
  fc.record({
    name: fc.constant('status_message'),
    data: fc.record({ assistant_id: fc.constant('a'), message: fc.constantFrom('one', 'two') }),
  }),
  fc.record({
    name: fc.constant('hook_fired'),
    data: fc.oneof(
      fc.record({ name: fc.constant('h'), target_type: fc.constant('tool'), target_id: id }),
      fc.record({ hook: fc.record({ target_type: fc.constant('tool'), target_id: id }) }),
    ),
  }),
  fc.record({ name: fc.constant('session_start'), data: fc.constant({ session_id: 's' }) }),
);

// Long enough for the log to be trimmed, with a checkpoint, several times.
const steps = fc.array(
  fc.oneof({ weight: 60, arbitrary: emission }, { weight: 1, arbitrary: fc.constant('reopen' as const) }),
  { minLength: 1, maxLength: 120, size: 'max' },
);

/** Runs all steps, and returns the length and the newest event of the history after each. */
async function play(
  all: readonly (Emission | 'reopen')[],
  settings: Audience & { log: EventLog },
  isTakenOver: (step: number) => boolean,
) {
  const open = () =>
    new EventBridge('s', {
      ...settings,
      logger: silentLogger,
      schemaValidation: 'off',
      dedupeStatusMessages: true,
      maxHistory: 5,
    });
  let bridge = open();
  let former = open();
  const newest: unknown[] = [];
  for (const [i, step] of all.entries()) {
    // A former writer may start a turn; in mid-turn only a bridge that has not written yet can take over.
    if (isTakenOver(i)) [bridge, former] = [step === 'reopen' ? former : open(), bridge];
    if (step === 'reopen') await bridge.reopen();
    else await bridge.emit(step.name, step.data);
    const history = await bridge.history();
    newest.push(history.length, history.at(-1)?.data);
  }
  return newest;
}

describe.each(audiences)('a session ($audience) that other processes take over anywhere', (audience) => {
  test.each([
    { name: 'in memory', runs: 40, open: () => new MemoryEventLog() },
    { name: 'in a file', runs: 8, open: () => sqliteEventLog({ path: ':memory:' }) },
  ])('has the same events as with one process, $name', async ({ runs, open }) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.infiniteStream(fc.nat({ max: 4 })), async (all, random) => {
        const one = open();
        const many = open();
        const expected = await play(all, { ...audience, log: one }, () => false);
        expect(await play(all, { ...audience, log: many }, () => random.next().value === 0)).toEqual(
          expected,
        );
        await one.close();
        await many.close();
      }),
      { numRuns: runs },
    );
  });
});

test('private values do not affect identities and repeats', async () => {
  const matcher = createValueMatcher(values);
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const log = new MemoryEventLog();
      const safe = { audience: 'frontend_safe' as const };
      const known = await play(all, { ...safe, privateValues: () => values, log }, () => false);
      const unknown = await play(all, { ...safe, log: new MemoryEventLog() }, () => false);
      expect(known).toEqual(matcher.scrub(unknown));
      await log.close();
    }),
    { numRuns: 100 },
  );
});
