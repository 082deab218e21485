import { expect, test } from 'vitest';
import { NormalizedEventForwardingState } from '../../src/forward/state.js';

test('what a state remembers is bounded: the oldest entries are dropped first', () => {
  const state = new NormalizedEventForwardingState();
  for (let n = 0; n < 10_010; n += 1) {
    state.addText(`a-${n}`, { text: 'x', replaces: false });
    state.keepTool(`t-${n}`, { name: 'n', toolType: 'func', agentName: null, swarmName: null });
    state.countChunk(`t-${n}`);
  }
  expect(state.assistantTextById.size).toBeLessThanOrEqual(10_000);
  expect(state.toolContextById.size).toBeLessThanOrEqual(10_000);
  expect(state.systemToolChunkCountById.size).toBeLessThanOrEqual(10_000);
  expect(state.toolContextById.has('t-0')).toBe(false);
  expect(state.toolContextById.has('t-10009')).toBe(true);
});
