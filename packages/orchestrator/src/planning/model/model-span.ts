import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { LanguageModel } from 'ai';
import type { ModelTurn } from './model-turn.js';

/**
 * Runs a model call inside a span of OpenTelemetry's GenAI conventions, under the active span. The span contains no
 * messages.
 */
export async function inModelSpan(model: LanguageModel, work: () => Promise<ModelTurn>): Promise<ModelTurn> {
  const { modelId, provider } = typeof model === 'string' ? { modelId: model, provider: 'gateway' } : model;
  const span = trace.getTracer('@svc/orchestrator').startSpan(`chat ${modelId}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': modelId,
    },
  });
  try {
    const turn = await work();
    span.setAttribute('gen_ai.response.finish_reasons', [turn.finishReason]);
    for (const kind of ['input_tokens', 'output_tokens'] as const) {
      const count = turn.usage[kind];
      if (count !== undefined) span.setAttribute(`gen_ai.usage.${kind}`, count);
    }
    return turn;
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
