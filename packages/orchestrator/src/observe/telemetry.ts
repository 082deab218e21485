import {
  context,
  trace,
  SpanKind,
  SpanStatusCode,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { RunRecord } from '@svc/contracts/orchestrator';
import { isSdkError, type MaivnSDKError } from '@svc/contracts/sdk-error';
import type { PlanUsage } from '../planning/plan-step.js';
import { PlannerError } from '../planning/planner-error.js';
import type { RunEnding } from '../sessions/record/decision.js';
import type { PlannedTurn } from '../sessions/turn/plan-turn.js';
import type { SessionFacts } from '../sessions/record/session-facts.js';
import type { RunObserver, RunOrigin, RunTelemetry } from '../sessions/turn/run-telemetry.js';
import type { CallState } from '../sessions/record/session-state.js';
import { errorFacts, type OrchestratorLogger } from '../logger.js';
import type { OrchestratorMetrics } from './metrics.js';
import type { ProjectMetrics } from './project-metrics.js';
import { contextOf } from '../trace-parent.js';

/** The counters and the trace of a run. */
interface RunScope {
  readonly metrics: ProjectMetrics;
  readonly inside: Context;
}

/** Logs, counts and traces runs. Spans follow OpenTelemetry's conventions for GenAI. */
export class Telemetry implements RunObserver {
  readonly #logger: OrchestratorLogger;
  readonly #metrics: OrchestratorMetrics;
  readonly #nowMs: () => number;
  readonly #tracer: Tracer = trace.getTracer('@svc/orchestrator');

  constructor(parts: { logger: OrchestratorLogger; metrics: OrchestratorMetrics; nowMs: () => number }) {
    this.#logger = parts.logger;
    this.#metrics = parts.metrics;
    this.#nowMs = parts.nowMs;
  }

  run(record: RunRecord, { facts, origin, traceParent }: RunOrigin): RunTelemetry {
    const { sessionId, projectId, keyId } = record;
    const ids = { session_id: sessionId, project_id: projectId, key_id: keyId };
    const metrics = this.#metrics.of(projectId);
    metrics.sessionsStarted.inc({ origin });
    this.#logger.info({ ...ids, origin }, 'session started');
    const name = facts.scope.name;
    const span = this.#tracer.startSpan(
      name === undefined ? 'invoke_agent' : `invoke_agent ${name}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.conversation.id': facts.threadId ?? sessionId,
          'svc.session.id': sessionId,
          'svc.project.id': projectId,
          ...(name === undefined ? {} : { 'gen_ai.agent.name': name }),
        },
      },
      contextOf(traceParent),
    );
    const inside = trace.setSpan(contextOf(traceParent), span);
    return {
      plan: (work, signal) => this.#plan(work, signal, { metrics, inside }),
      inside: (work) => context.with(inside, work),
      plannerFailed: (error) => {
        if (isSdkError(error)) this.#logger.warn({ ...ids, error: plannerFacts(error) }, 'planner failed');
        else this.#logger.error({ ...ids, error: errorFacts(error) }, 'planner failed');
      },
      callEnded: (call) => this.#callEnded(call, { facts, metrics, inside }),
      ended: (ending) => {
        const { status } = ending;
        const code = ending.status === 'completed' ? '' : ending.code;
        this.#ended(record, { status, code });
        if (ending.status === 'failed') fail(span, code);
        span.setAttribute('svc.session.status', status);
        span.end();
      },
      left: () => {
        span.setAttribute('svc.session.status', 'left');
        span.end();
      },
    };
  }

  gaveUp(record: RunRecord, code: string): void {
    this.#ended(record, { status: 'failed', code });
  }

  #ended(
    { sessionId, projectId, keyId, createdAtMs }: RunRecord,
    { status, code }: { status: RunEnding['status']; code: string },
  ): void {
    const metrics = this.#metrics.of(projectId);
    const elapsedMs = passedMs(createdAtMs, this.#nowMs());
    metrics.sessionsEnded.inc({ status, code });
    metrics.sessionSeconds.observe({ status }, elapsedMs / 1000);
    const ids = { session_id: sessionId, project_id: projectId, key_id: keyId };
    this.#logger.info({ ...ids, status, ...(code ? { code } : {}), elapsed_ms: elapsedMs }, 'session ended');
  }

  async #plan(
    work: () => Promise<PlannedTurn>,
    signal: AbortSignal,
    { metrics, inside }: RunScope,
  ): Promise<PlannedTurn> {
    const startedMs = this.#nowMs();
    const span = this.#tracer.startSpan('plan', { attributes: { 'gen_ai.operation.name': 'plan' } }, inside);
    try {
      const turn = await context.with(trace.setSpan(inside, span), work);
      const { step, problems } = turn;
      const outcome = problems ? 'refused' : step.type;
      metrics.plans.inc({ outcome });
      span.setAttribute('svc.plan.outcome', outcome);
      countTokens(step.usage, { metrics, span });
      return turn;
    } catch (error) {
      // A run that was cancelled, or left to another process, is not the planner's failure.
      const outcome = signal.aborted ? 'aborted' : 'failed';
      metrics.plans.inc({ outcome });
      span.setAttribute('svc.plan.outcome', outcome);
      if (error instanceof PlannerError) countTokens(error.usage, { metrics, span });
      if (!signal.aborted) fail(span, error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      metrics.planSeconds.observe(passedMs(startedMs, this.#nowMs()) / 1000);
      span.end();
    }
  }

  #callEnded(
    { call_id, tool_id, sentAtMs, endedAtMs, outcome, cause = 'posted' }: CallState,
    { facts, metrics, inside }: RunScope & { facts: SessionFacts },
  ): void {
    if (!outcome) return;
    metrics.calls.inc({ cause, status: outcome.status });
    if (sentAtMs === undefined || endedAtMs === undefined) return;
    metrics.callSeconds.observe(passedMs(sentAtMs, endedAtMs) / 1000);
    const name = facts.plan.tools.find((tool) => tool.tool_id === tool_id)?.name ?? tool_id;
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': call_id,
    };
    const span = this.#tracer.startSpan(`execute_tool ${name}`, { startTime: sentAtMs, attributes }, inside);
    if (outcome.status === 'error') fail(span, outcome.error.code);
    span.end(endedAtMs);
  }
}

function countTokens(
  usage: PlanUsage | undefined,
  { metrics, span }: { metrics: ProjectMetrics; span: Span },
): void {
  for (const kind of ['input_tokens', 'output_tokens'] as const) {
    const count = usage?.[kind];
    if (count === undefined) continue;
    metrics.tokens.inc({ kind }, count);
    span.setAttribute(`gen_ai.usage.${kind}`, count);
  }
}

/** Leaves out the message, which may quote the model or its service, and so the conversation. */
function plannerFacts({ name, code, details }: MaivnSDKError): object {
  const status = details?.['status_code'];
  return { name, code, ...(typeof status === 'number' ? { status_code: status } : {}) };
}

/**
 * Never negative: when a clock was set back, or is another process's, a falling sum of durations would look like a
 * restart.
 */
function passedMs(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs);
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
