import { buildAssistantChunkPayload, buildFinalPayload, buildToolEventPayload } from '@svc/events';
import { rebuildPayload } from '../../packages/events/src/payloads/rebuild-payload.ts';
import { measure, table } from './measure.ts';
import { sampleArgs, sampleResult, sampleText } from './sample-events.ts';

const deltas = Array.from({ length: 64 }, (_, at) => sampleText(28 + (at % 5), at));
const chunkArguments = deltas.map((text) => ({ assistantId: 'asst_01HZX4', text }));
const toolArguments = Array.from({ length: 64 }, (_, at) => ({
  toolName: 'search_documents',
  toolId: `tool_${at}`,
  status: 'completed',
  agentName: 'researcher',
  args: sampleArgs,
  result: sampleResult(at),
}));
const chunks = chunkArguments.map(buildAssistantChunkPayload);
const tools = toolArguments.map(buildToolEventPayload);
const rawTools = toolArguments.map(({ toolId, args, result }) => ({
  tool: { id: toolId, name: 'search_documents', status: 'completed', args, result, elapsed_ms: 12 },
  trace_id: 'x',
}));
const of = <Item>(items: readonly Item[], index: number) => items[index & 63] as Item;

/** Measures building and rebuilding against serializing the same payload. */
export function benchPayloads(): string {
  return [
    table(
      'Text chunk (about 250 B)',
      measure({
        'JSON.stringify of the payload': (at) => JSON.stringify(of(chunks, at)),
        buildAssistantChunkPayload: (at) => buildAssistantChunkPayload(of(chunkArguments, at)),
        'rebuild of a finished payload': (at) => rebuildPayload('assistant_chunk', of(chunks, at)),
      }),
    ),
    table(
      'Tool event with a structured result (about 3.5 KB: flat and nested)',
      measure({
        'JSON.stringify of the payload': (at) => JSON.stringify(of(tools, at)),
        'buildToolEventPayload (with its snapshot)': (at) => buildToolEventPayload(of(toolArguments, at)),
        'rebuild of a finished payload': (at) => rebuildPayload('tool_event', of(tools, at)),
        'rebuild of a nested-only payload with extras': (at) =>
          rebuildPayload('tool_event', of(rawTools, at)),
      }),
    ),
    table(
      'Final (about 200 B)',
      measure({
        'JSON.stringify of the payload': (at) =>
          JSON.stringify(buildFinalPayload({ response: of(deltas, at) })),
        buildFinalPayload: (at) => buildFinalPayload({ response: of(deltas, at) }),
      }),
    ),
  ].join('\n');
}
