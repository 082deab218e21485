import { expect, it } from 'vitest';
import { readModelTurn } from '../../../src/planning/model/model-step.js';
import { ToolNames } from '../../../src/planning/model/tool-names.js';
import { planContext } from '../plan-fixtures.js';

it('keeps what belongs to the call that asks, whatever else was called', () => {
  const context = planContext();
  const args = { questions: [{ prompt: 'Which?' }] };
  const asking = { id: 'x2', metadata: { google: { thoughtSignature: 's2' } } };
  const turn = {
    text: '',
    calls: [
      { id: 'x1', name: 'now', args: {}, raw: '{}' },
      { id: 'x2', name: 'ask_person', args, raw: JSON.stringify(args) },
    ],
    finishReason: 'tool-calls',
    usage: {},
    state: { calls: [{ id: 'x1', metadata: { google: { thoughtSignature: 's1' } } }, asking], reasoning: [] },
  };
  expect(readModelTurn(turn, context, new ToolNames(context), {})).toMatchObject({
    ok: true,
    step: { type: 'ask', state: { calls: [asking], reasoning: [] } },
  });
});
