import { expect, test } from 'vitest';
import { NormalizedStreamState } from '../../src/normalize/state.js';
import { normalizeStreamEvent } from '../../src/normalize/normalize-event.js';

test('what a state remembers is bounded: the oldest entries are dropped first', () => {
  const state = new NormalizedStreamState();
  for (let n = 0; n < 10_010; n += 1) {
    state.keepCall(`t-${n}`, undefined);
    state.keepText(`a-${n}`, 'x');
    state.hideTool(`h-${n}`);
    state.deferModelTool({ toolName: 'm', toolId: `m-${n}` }, undefined);
  }
  expect(state.reportedToolIds.size).toBeLessThanOrEqual(10_000);
  expect(state.streamingTextById.size).toBeLessThanOrEqual(10_000);
  expect(state.pendingModelTools).toHaveLength(10_000);
  expect(state.reportedToolIds.has('t-0')).toBe(false);
  expect(state.reportedToolIds.has('t-10009')).toBe(true);
  expect(state.isHiddenTool('h-0')).toBe(false);
  expect(state.isHiddenTool('h-10009')).toBe(true);
});

test('the state creates the ids of events that have none', () => {
  const state = new NormalizedStreamState({ createId: () => 'made' });
  const [interrupt] = normalizeStreamEvent({ name: 'interrupt_required', payload: {} }, { state });
  const [tool] = normalizeStreamEvent({ name: 'system_tool_start', payload: {} }, { state });
  expect([interrupt?.interrupt?.id, tool?.tool?.id]).toEqual(['made', 'made']);
});
