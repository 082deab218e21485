import { AppEventSchema } from '@svc/contracts';
import type { AppEvent, EventEnvelope } from '@svc/contracts';
import { describe, expect, test } from 'vitest';
import { forwardNormalizedStream } from '../../src/forward/forward.js';
import type { NormalizedEventForwardingState } from '../../src/forward/state.js';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';
import { applyDeviations, withSpecifiedIds } from './deviations.ts';
import { forwardDeviations } from './forward-deviations.ts';
import { kindsOf } from './log-kinds.ts';
import { comparable } from './normalized-form.ts';
import { fillPlaceholders } from './placeholders.ts';
import { RecordedBridge } from './recorded-bridge.ts';
import type { BridgeVectorOptions } from './recorded-bridge.ts';
import { comparableCall, recordingReporter } from './recording-reporter.ts';
import type { ReporterCall } from './recording-reporter.ts';
import { readVectors, toOptions } from './vector.ts';

interface ForwardOptions {
  reporter: string | null;
  bridge: BridgeVectorOptions | null;
}
type Options = ForwardOptions | { normalize: Record<string, unknown>; forward: ForwardOptions };
type Input = { events: unknown[] } | { raw_events: { name: string; payload?: unknown }[] };
interface Recorded {
  reporter_calls: ReporterCall[] | null;
  bridge_history: EventEnvelope[] | null;
  state: Record<string, unknown>;
  logs: { message: string }[];
}

const vectors = ['forward', 'pipeline', 'fuzz-pipeline'].flatMap((file) =>
  readVectors<Options, Input, Recorded>(file),
);

/** Parses finished events with the contract's schema first, as the original does with its models. */
function eventsOf(options: Options, input: Input): Iterable<AppEvent> {
  if ('raw_events' in input) {
    return normalizeStream(input.raw_events, toOptions('normalize' in options ? options.normalize : {}));
  }
  return input.events.map((event) => withModelDefaults(AppEventSchema.parse(event)));
}

/** The original's models default a tool's arguments to an empty object. */
const withModelDefaults = (event: AppEvent): AppEvent =>
  event.tool == null ? event : { ...event, tool: { args: {}, ...event.tool } };

function stateOf(state: NormalizedEventForwardingState) {
  const contexts = [...state.toolContextById].map(([id, tool]) => [
    id,
    { name: tool.name, tool_type: tool.toolType, agent_name: tool.agentName, swarm_name: tool.swarmName },
  ]);
  return {
    assistant_text_by_id: Object.fromEntries(state.assistantTextById),
    tool_context_by_id: Object.fromEntries(contexts),
    system_tool_chunk_count_by_id: Object.fromEntries(state.systemToolChunkCountById),
  };
}

/** A bridge that accepts events after a terminal event, as the original's does: it starts a new turn for them. */
function forwardTo(options: BridgeVectorOptions) {
  const recorded = new RecordedBridge(options);
  return {
    recorded,
    async emit(eventName: string, payload: Record<string, unknown>) {
      await recorded.reopenAfterTerminal({ op: 'emit' });
      await recorded.bridge.emit(eventName, payload);
    },
  };
}

const comparableEvent = ({ type, data }: EventEnvelope) => ({
  type,
  data: comparable(withSpecifiedIds(data)),
});

describe('forwarding, compared with recordings of the original', () => {
  test.each(vectors)('$id', async ({ id, options, input, expected }) => {
    const { reporter: variant, bridge: settings } = 'forward' in options ? options.forward : options;
    const recording = variant === null ? undefined : recordingReporter(variant);
    const bridge = settings === null ? undefined : forwardTo(settings);
    const state = await forwardNormalizedStream(eventsOf(options, input), {
      reporter: recording?.reporter ?? null,
      bridge: bridge ?? null,
    });
    const actual = {
      calls: (recording?.calls ?? []).map(comparableCall),
      history: ((await bridge?.recorded.history()) ?? []).map(comparableEvent),
      state: stateOf(state),
      logs: kindsOf(bridge?.recorded.warnings ?? []),
    };
    const recorded = {
      calls: (expected.reporter_calls ?? []).map(comparableCall),
      history: (expected.bridge_history ?? []).map(comparableEvent),
      state: expected.state,
      logs: kindsOf(expected.logs.map(({ message }) => message)),
    };
    const ours = applyDeviations(recorded, forwardDeviations[id] ?? []);
    expect(actual).toStrictEqual(fillPlaceholders(ours, actual));
  });

  test('deviations are only listed for cases that exist', () => {
    const ids = new Set(vectors.map(({ id }) => id));
    expect(Object.keys(forwardDeviations).filter((id) => !ids.has(id))).toEqual([]);
  });
});
