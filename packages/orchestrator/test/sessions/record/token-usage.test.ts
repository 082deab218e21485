import { expect, it } from 'vitest';
import type { SessionState } from '../../../src/sessions/record/session-state.js';
import { tokenUsage } from '../../../src/sessions/record/token-usage.js';

it('adds the totals that a service counts, and the sum of its parts where it counts none', () => {
  const usages = [
    { total_tokens: 10, input_tokens: 3, output_tokens: 4 },
    { input_tokens: 1, output_tokens: 2 },
  ];
  const state = { steps: usages.map((usage) => ({ step: { usage } })), calls: new Map() };
  const used = tokenUsage(state as unknown as SessionState);
  expect(used).toMatchObject({ total_tokens: 13, input_tokens: 4, output_tokens: 6 });
});
