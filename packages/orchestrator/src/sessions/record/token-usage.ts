import type { TokenUsage } from '@svc/contracts/orchestrator';
import type { PlanUsage } from '../../planning/plan-step.js';
import type { SessionState } from './session-state.js';

/**
 * The tokens a run used: in all steps, in tools that the orchestrator ran, and in the turn that failed. Undefined when
 * none were counted.
 */
export function tokenUsage(state: SessionState, failed?: PlanUsage): TokenUsage | undefined {
  const counted = [
    failed,
    ...state.steps.map(({ step }) => step.usage),
    ...[...state.calls.values()].map(({ usage }) => usage),
  ];
  // A service that reports no usage did not necessarily use nothing.
  const uses = counted.flatMap((usage) => (usage && Object.keys(usage).length > 0 ? [usage] : []));
  if (uses.length === 0) return undefined;
  const sum = (count: (usage: PlanUsage) => number | undefined) =>
    uses.reduce((total, usage) => total + (count(usage) ?? 0), 0);
  const input_tokens = sum((usage) => usage.input_tokens);
  const output_tokens = sum((usage) => usage.output_tokens);
  return {
    total_tokens: sum(
      (usage) => usage.total_tokens ?? (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0),
    ),
    input_tokens,
    output_tokens,
    cache_read_tokens: sum((usage) => usage.cache_read_tokens),
    cache_creation_tokens: sum((usage) => usage.cache_creation_tokens),
    reasoning_tokens: sum((usage) => usage.reasoning_tokens),
  };
}
