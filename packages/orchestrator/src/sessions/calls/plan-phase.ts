import type { JsonObject } from '@svc/contracts';
import type { JournalEntry } from '@svc/contracts/orchestrator';
import type { PlanTool } from '../../planning/plan-context.js';
import { isAtBoundary, isOk } from '../../planning/policy/run-record.js';
import { REEVALUATE_TOOL_NAME } from '../../system-tools/reevaluate.js';
import { phaseEntry, statusEntry } from '../journal/emit.js';
import { callsOf, recordedCall } from '../record/recorded-steps.js';
import type { SessionFacts } from '../record/session-facts.js';
import type { SessionState } from '../record/session-state.js';

/** Announces that the next step is being planned; empty when that was announced before. */
export function planPhaseEntries(state: SessionState, facts: SessionFacts): JournalEntry[] {
  const number = state.steps.length + 1;
  const key = `phase:planning:${number}`;
  if (state.sent.has(key)) return [];
  const message = number === 1 ? 'Planning' : 'Planning the next step';
  return [
    ...boundaryEntries(state, facts),
    phaseEntry(facts, { phase: 'planning', message, key }),
    ...(facts.sendsStatus ? [statusEntry(`${message}...`, `status:planning:${number}`)] : []),
  ];
}

/** Reports which results stopped planning at a re-evaluate boundary. */
function boundaryEntries(state: SessionState, facts: SessionFacts): JournalEntry[] {
  const last = state.steps.at(-1);
  if (!last) return [];
  const calls = callsOf(state, last).map(recordedCall);
  const collected = calls.filter((call) => isOk(call) && call.tool_id !== REEVALUATE_TOOL_NAME);
  const toolOf = (id: string) => facts.plan.tools.find(({ tool_id }) => tool_id === id);
  const stopped = new Set(calls.filter(isAtBoundary).map(({ tool_id }) => tool_id));
  const byPlanner = calls.some(({ tool_id }) => tool_id === REEVALUATE_TOOL_NAME);
  const requested = byPlanner
    ? [accruedEntry(facts, 'Reviewing the results', plannerReevaluation(state, collected.length))]
    : [];
  const declared = [...stopped].flatMap((targetId) => {
    const target = toolOf(targetId);
    const trigger = collected
      .map(({ tool_id }) => toolOf(tool_id))
      .find((tool) => hasBoundaryBetween(tool, target));
    if (!target || !trigger) return [];
    const reevaluate = {
      source: 'dependency',
      trigger_tool: trigger.name,
      target_tool: target.name,
      reevaluate_count: boundariesBefore(state, targetId),
      collected_count: collected.length,
    };
    const message = `Reviewing the result of ${trigger.name} before ${target.name}`;
    return [accruedEntry(facts, message, reevaluate)];
  });
  return [...requested, ...declared];
}

function accruedEntry(facts: SessionFacts, message: string, reevaluate: JsonObject): JournalEntry {
  return phaseEntry(facts, { phase: 'reevaluate_accrued', message, extra: { reevaluate } });
}

function plannerReevaluation(state: SessionState, collected_count: number): JsonObject {
  const reevaluate_count = [...state.calls.values()].filter(
    ({ tool_id }) => tool_id === REEVALUATE_TOOL_NAME,
  ).length;
  return { source: 'llm', reevaluate_count, collected_count };
}

/** Whether either tool declares a re-evaluate boundary between the two. */
function hasBoundaryBetween(earlier: PlanTool | undefined, later: PlanTool | undefined): boolean {
  if (!earlier || !later) return false;
  const declares = (tool: PlanTool, other: PlanTool, timing: string) =>
    tool.dependencies.some(
      (edge) => edge.type === 'reevaluate' && edge.tool_id === other.tool_id && edge.timing === timing,
    );
  return declares(later, earlier, 'after') || declares(earlier, later, 'before');
}

/** How often planning has stopped before this tool in the run. */
function boundariesBefore(state: SessionState, toolId: string): number {
  const steps = state.steps.filter((step) =>
    callsOf(state, step).some((call) => call.tool_id === toolId && isAtBoundary(recordedCall(call))),
  );
  return steps.length;
}
