import type { Clock } from '../../clock.js';
import type { RunTelemetry } from './run-telemetry.js';
import type { PlanContext } from '../../planning/plan-context.js';
import type { Planner } from '../../planning/planner.js';
import type { RunEnding } from '../record/decision.js';
import { phaseEntry, textEntry } from '../journal/emit.js';
import { failureOf } from './failure.js';
import { spokenTexts } from '../journal/final.js';
import type { JournalWriter } from '../journal/journal-writer.js';
import { planTurn, type PlannedTurn } from './plan-turn.js';
import type { SessionFacts } from '../record/session-facts.js';
import { entryOf } from '../record/session-record.js';
import type { SessionState } from '../record/session-state.js';
import { pauseAfterSnapshotMs, TextStream } from '../journal/text-stream.js';

/** What `takePlannerTurn` needs. */
export interface PlannerTurnOptions {
  readonly state: SessionState;
  readonly facts: SessionFacts;
  readonly context: PlanContext;
  readonly planner: Planner;
  readonly writer: JournalWriter;
  readonly telemetry: RunTelemetry;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly textIntervalMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks the planner for the next step, streams its text and records the step. Returns the run's ending when it fails.
 */
export async function takePlannerTurn(options: PlannerTurnOptions): Promise<RunEnding | undefined> {
  const { state, facts, writer, clock, textIntervalMs: intervalMs, signal } = options;
  const number = state.steps.length + 1;
  const before = spokenTexts(state)
    .map((text) => `${text}\n\n`)
    .join('');
  const text = new TextStream({
    before,
    pauseMs: (length) => pauseAfterSnapshotMs(length, intervalMs),
    clock,
    write: (snapshot) => writer.tryWrite(textEntry(snapshot)),
  });
  const announce = announcer(options, number);
  const turn = await askPlanner(options, (delta) => {
    if (!facts.streamsText) return;
    announce();
    text.push(delta);
  });
  await text.close();
  if (signal.aborted) return undefined;
  if (!('step' in turn)) return turn;
  await recordTurn(turn, { ...options, number, before, written: text.written });
  return undefined;
}

/** Returns a function that announces once that the answer is being written. */
function announcer({ state, facts, writer }: PlannerTurnOptions, number: number): () => void {
  const key = `phase:synthesizing:${number}`;
  let isAnnounced = state.sent.has(key);
  return () => {
    if (isAnnounced) return;
    isAnnounced = true;
    void writer.tryWrite(phaseEntry(facts, { phase: 'synthesizing', message: 'Writing the answer', key }));
  };
}

async function askPlanner(
  { context, planner, telemetry, signal }: PlannerTurnOptions,
  onText: (delta: string) => void,
): Promise<PlannedTurn | RunEnding> {
  try {
    return await telemetry.plan(() => planTurn(context, planner, { signal, onText }), signal);
  } catch (error) {
    if (!signal.aborted) telemetry.plannerFailed(error);
    return failureOf(error);
  }
}

interface RecordOptions extends PlannerTurnOptions {
  readonly number: number;
  readonly before: string;
  /** The text that has been streamed. */
  readonly written: string;
}

async function recordTurn({ step, problems }: PlannedTurn, options: RecordOptions): Promise<void> {
  const { facts, writer, newId, number, before, written } = options;
  const call_ids = step.type === 'call' ? step.calls.map(() => newId()) : [];
  const spoken = problems || step.type === 'ask' ? undefined : step.text;
  const text = before + (spoken ?? '');
  await writer.writeOwn([
    ...(facts.streamsText && spoken && written !== text ? [textEntry(text)] : []),
    entryOf('step', { number, step, call_ids, ...(problems ? { problems } : {}) }),
  ]);
}
