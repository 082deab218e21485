import { PRIVATE_VALUES_GONE } from '../../ingress/session-values.js';
import type { Memory } from '../../memory/memory.js';
import type { MemoryPhase } from '../../memory/runs/memory-phase.js';
import type { MemorySubject } from '../../memory/runs/memory-subject.js';
import type { RunOutcome } from '../../memory/runs/remember.js';
import type { RunEnding } from '../record/decision.js';
import { phaseEntry } from '../journal/emit.js';
import { spokenTexts } from '../journal/final.js';
import type { JournalWriter } from '../journal/journal-writer.js';
import type { SessionFacts } from '../record/session-facts.js';
import { entryOf } from '../record/session-record.js';
import type { SessionState } from '../record/session-state.js';

/** What a run's use of memory needs. */
export interface MemoryWorkOptions {
  readonly memory: Memory;
  readonly facts: SessionFacts;
  readonly writer: JournalWriter;
}

/**
 * Asks memory before the first plan. The result is written to the journal, so a restart plans with the same memories.
 */
export async function recallForRun(
  { memory, facts, writer }: MemoryWorkOptions,
  signal: AbortSignal,
): Promise<void> {
  const subject = facts.memory;
  if (!subject) return;
  const onPhase = phaseReporter({ facts, writer });
  const items = await memory.recall(subject, { signal, onPhase });
  if (!signal.aborted) await writer.writeOwn([entryOf('memory', { items })]);
}

/** Stores what the run can add to memory. This precedes writing its end, after which nothing can be written. */
export async function rememberRun(
  { memory, facts, writer, state }: MemoryWorkOptions & { state: SessionState },
  ending: RunEnding,
): Promise<void> {
  const subject = facts.memory;
  if (!subject || ending.status === 'cancelled') return;
  await memory.remember(subject, outcomeOf(subject, state, { facts, ending }), {
    onPhase: phaseReporter({ facts, writer }),
  });
}

/** Announces each phase once per run and number of its kind, however often the work is repeated. */
function phaseReporter({ facts, writer }: Pick<MemoryWorkOptions, 'facts' | 'writer'>) {
  const counts = new Map<string, number>();
  return async ({ phase, message, memory }: MemoryPhase): Promise<void> => {
    const number = (counts.get(phase) ?? 0) + 1;
    counts.set(phase, number);
    const key = `phase:${phase}:${number}`;
    await writer.tryWrite(
      phaseEntry(facts, { phase, message, key, ...(memory ? { extra: { memory } } : {}) }),
    );
  };
}

function outcomeOf(
  { query }: MemorySubject,
  state: SessionState,
  { facts, ending }: { facts: SessionFacts; ending: RunEnding },
): RunOutcome {
  const answer = spokenTexts(state).at(-1);
  return {
    isCompleted: ending.status === 'completed',
    asked: query,
    ...(answer === undefined ? {} : { answer }),
    calls: [...state.calls.values()].flatMap(({ tool_id, outcome, cause }) => {
      const tool = facts.plan.tools.find((each) => each.tool_id === tool_id);
      if (!tool || !outcome || cause === 'skipped') return [];
      const toolName = tool.name;
      if (outcome.status === 'ok') return [{ toolName }];
      const { error } = outcome;
      return [{ toolName, error, isWithheld: error.code === PRIVATE_VALUES_GONE }];
    }),
  };
}
