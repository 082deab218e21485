import { describe, expect, it } from 'vitest';
import type { RecordedCall } from '../../../../src/planning/plan-context.js';
import { isSameCall, mayRepeat } from '../../../../src/planning/offline/tools/call-attempts.js';
import { SKIPPED_CODE } from '../../../../src/planning/policy/run-record.js';
import { callStep, failedCall, okCall, planContext, resultOf, toolsOf } from '../../plan-fixtures.js';

const tools = toolsOf(
  { name: 'a' },
  { name: 'b' },
  { name: 'sum', properties: { x: resultOf('a'), y: resultOf('b') }, required: ['x', 'y'] },
);
const [, , sum] = tools;

describe('mayRepeat', () => {
  const failed = failedCall('sum', { retryable: true });
  const skipped = failedCall('sum', { code: SKIPPED_CODE });

  it.each<[string, RecordedCall[], RecordedCall[], boolean]>([
    ['allows a first call', [], [], true],
    ['refuses a call that already has a result', [okCall('sum')], [], false],
    ['allows a retry after a retryable failure', [failed], [], true],
    ['refuses a retry after two retryable failures', [failed, failed], [], false],
    ['refuses a retry after any other failure', [failedCall('sum')], [], false],
    ['refuses a skipped call while a result that it takes is missing', [skipped], [okCall('a')], false],
    ['allows a skipped call once it has the results it takes', [skipped], [okCall('a'), okCall('b')], true],
  ])('%s', (_, attempts, others, may) => {
    if (!sum) throw new Error('no tool');
    expect(mayRepeat(attempts, sum, planContext({ tools, steps: [callStep(...others)] }))).toBe(may);
  });
});

it('recognizes a planned call despite the arguments that the rules added', () => {
  const [tool] = toolsOf({ name: 'a', metadata: { default_args: { limit: 5 } } });
  if (!tool) throw new Error('no tool');
  const same = (recorded: object, planned: object) =>
    isSameCall(okCall('a', null, { ...recorded }), { ...planned }, tool);
  expect(same({ q: 1, limit: 5, use_as_final_output: true }, { q: 1 })).toBe(true);
  expect(same({ q: 1, limit: 5 }, { q: 1, limit: 7 })).toBe(false);
  expect(same({ q: 1, other: 5 }, { q: 1 })).toBe(false);
  expect(same({ q: 1 }, { q: 1, other: 5 })).toBe(false);
});
