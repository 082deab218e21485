import { describe, expect, test } from 'vitest';
import { normalizeStreamEvent } from '../../src/normalize/normalize-event.js';
import type { NormalizeOptions } from '../../src/normalize/context.js';
import { NormalizedStreamState } from '../../src/normalize/state.js';
import { applyDeviations, withSpecifiedIds } from './deviations.ts';
import { normalizeDeviations } from './normalize-deviations.ts';
import { comparable } from './normalized-form.ts';
import { fillPlaceholders } from './placeholders.ts';
import { readVectors, toOptions } from './vector.ts';

interface RawEvent {
  name: string;
  payload?: unknown;
}
interface Recorded {
  per_event: unknown[];
  state: Record<string, unknown>;
}

const vectors = ['normalize', 'fuzz-normalize'].flatMap((file) =>
  readVectors<Record<string, unknown>, { events: RawEvent[] }, Recorded>(file),
);

/** Returns the state as recorded, without `started_system_tools`, which the original writes but never reads. */
function stateOf(state: NormalizedStreamState) {
  return {
    streaming_text_by_id: Object.fromEntries(state.streamingTextById),
    reported_tool_ids: [...state.reportedToolIds.keys()].toSorted(),
    pending_model_tools: state.pendingModelTools.map(({ toolName, toolId }) => ({
      tool_name: toolName,
      tool_id: toolId,
    })),
    last_model_tool_result: state.lastModelToolResult ?? null,
  };
}

function recorded({ per_event, state }: Recorded) {
  const { started_system_tools: _, ...read } = state;
  return {
    per_event: per_event.map((events) =>
      Array.isArray(events) ? events.map((event) => comparable(withSpecifiedIds(event))) : events,
    ),
    state: read,
  };
}

describe('the normalizer, compared with recordings of the original', () => {
  test.each(vectors)('$id', ({ id, options, input, expected }) => {
    const state = new NormalizedStreamState();
    const keywords = toOptions<NormalizeOptions>(options);
    const per_event = input.events.map((event) =>
      normalizeStreamEvent(event, { ...keywords, state }).map(comparable),
    );
    const actual = { per_event, state: stateOf(state) };
    const ours = applyDeviations(recorded(expected), normalizeDeviations[id] ?? []);
    expect(actual).toStrictEqual(fillPlaceholders(ours, actual));
  });

  test('deviations are only listed for cases that exist', () => {
    const ids = new Set(vectors.map(({ id }) => id));
    expect(Object.keys(normalizeDeviations).filter((id) => !ids.has(id))).toEqual([]);
  });
});
