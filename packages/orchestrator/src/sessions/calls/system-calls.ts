import type { JsonObject } from '@svc/contracts';
import type { JournalEntry } from '@svc/contracts/orchestrator';
import type { Clock } from '../../clock.js';
import type { CallOutcome, PlanContext } from '../../planning/plan-context.js';
import type { PlanUsage } from '../../planning/plan-step.js';
import { addUsage } from '../../planning/model/add-usage.js';
import { REEVALUATE_TOOL_NAME } from '../../system-tools/reevaluate.js';
import type { SystemToolbox } from '../../system-tools/system-toolbox.js';
import type { JournalWriter } from '../journal/journal-writer.js';
import type { SessionFacts } from '../record/session-facts.js';
import { entryOf, eventEntry } from '../record/session-record.js';
import type { CallState } from '../record/session-state.js';
import { TextStream } from '../journal/text-stream.js';

/** What `SystemCalls` needs. */
export interface SystemCallsOptions {
  readonly facts: SessionFacts;
  readonly toolbox: SystemToolbox;
  readonly writer: JournalWriter;
  readonly clock: Clock;
  readonly context: () => PlanContext;
  readonly onFailure: (error: unknown) => void;
}

/** A system tool's text is sent in chunks collected over this interval. */
const chunkIntervalMs = 250;

/** Runs the calls that the orchestrator answers itself. They have no side effects, so a restart runs them again. */
export class SystemCalls {
  readonly #options: SystemCallsOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: SystemCallsOptions) {
    this.#options = options;
  }

  /** Starts those calls that are not running yet. */
  start(calls: readonly CallState[]): void {
    for (const call of calls) {
      if (this.#running.has(call.call_id)) continue;
      const abort = new AbortController();
      this.#running.set(call.call_id, abort);
      this.#run(call, abort.signal)
        .catch((error: unknown) => (abort.signal.aborted ? undefined : this.#options.onFailure(error)))
        .finally(() => this.#running.delete(call.call_id));
    }
  }

  abort(): void {
    for (const abort of this.#running.values()) abort.abort(new Error('The run is over.'));
  }

  async #run(call: CallState, signal: AbortSignal): Promise<void> {
    const { facts, toolbox, writer, clock, context } = this.#options;
    const startedMs = clock.nowMs();
    let usage: PlanUsage | undefined;
    let sent = 0;
    let count = 0;
    const text = new TextStream({
      before: '',
      pauseMs: () => chunkIntervalMs,
      clock,
      write: async (snapshot) => {
        const chunk = snapshot.slice(sent);
        sent = snapshot.length;
        count += 1;
        const elapsed_seconds = (clock.nowMs() - startedMs) / 1000;
        const payload = { ...idsOf(call, facts), text: chunk, chunk_count: count, elapsed_seconds };
        await writer.tryWrite(eventEntry('system_tool_chunk', payload));
      },
    });
    const io = {
      signal,
      context: context(),
      onChunk: (chunk: string) => text.push(chunk),
      onUsage: (used: PlanUsage) => {
        usage = usage ? addUsage(usage, used) : used;
      },
    };
    const outcome = await toolbox.run(call, io).finally(() => text.close());
    if (signal.aborted) return;
    const record = { call_id: call.call_id, outcome, cause: 'system', ...(usage ? { usage } : {}) } as const;
    await writer.write([
      entryOf('outcome', record),
      ...endEntries(call, outcome, { facts, elapsedMs: clock.nowMs() - startedMs }),
    ]);
  }
}

/** The entries that begin a call of a system tool. */
export function systemStartEntries(call: CallState, facts: SessionFacts): JournalEntry[] {
  const started = entryOf('call', { call_id: call.call_id });
  if (call.tool_id === REEVALUATE_TOOL_NAME) return [started];
  const payload = { ...idsOf(call, facts), params: call.args, args: call.args };
  return [started, eventEntry('system_tool_start', payload)];
}

function endEntries(
  call: CallState,
  outcome: CallOutcome,
  { facts, elapsedMs }: { facts: SessionFacts; elapsedMs: number },
): JournalEntry[] {
  if (call.tool_id === REEVALUATE_TOOL_NAME) return [];
  const ids = { ...idsOf(call, facts), elapsed_ms: elapsedMs };
  return outcome.status === 'ok'
    ? [eventEntry('system_tool_complete', { ...ids, result: outcome.result })]
    : [eventEntry('system_tool_error', { ...ids, error: outcome.error.message })];
}

function idsOf(call: CallState, { scope: { type, name } }: SessionFacts): JsonObject {
  return {
    tool_name: call.tool_id,
    assignment_id: call.call_id,
    tool_id: call.call_id,
    ...(name === undefined ? {} : { [`${type}_name`]: name }),
  };
}
