import { describe, expect, it } from 'vitest';
import type { RecordedCall } from '../../../src/planning/plan-context.js';
import { isSameCall, mayRepeat } from '../../../src/planning/offline/call-attempts.js';
import { SKIPPED_CODE } from '../../../src/planning/policy/run-record.js';
import { callStep, failedCall, okCall, planContext, resultOf, toolsOf } from '../plan-fixtures.js';

const tools = toolsOf(
  { name: 'a' },
  { name: 'b' },
  { name: 'sum', properties: { x: resultOf('a'), y: resultOf('b') }, required: ['x', 'y'] },
);
const [, , sum] = tools;

describe('a call may be made', () => {
  const failed = failedCall('sum', { retryable: true });
  const skipped = failedCall('sum', { code: SKIPPED_CODE });

  it.each<[string, RecordedCall[], RecordedCall[], boolean]>([
    ['the first time', [], [], true],
    ['no more once it has a result', [okCall('sum')], [], false],
    ['again after a passing failure', [failed], [], true],
    ['no more after two of them', [failed, failed], [], false],
    ['no more after a lasting failure', [failedCall('sum')], [], false],
    ['no more while what it takes is not there', [skipped], [okCall('a')], false],
    ['again when all that it takes is there', [skipped], [okCall('a'), okCall('b')], true],
  ])('%s', (_, attempts, others, may) => {
    if (!sum) throw new Error('no tool');
    expect(mayRepeat(attempts, sum, planContext({ tools, steps: [callStep(...others)] }))).toBe(may);
  });
});

it('a call is the planned one, whatever the rules added to it', () => {
  const [tool] = toolsOf({ name: 'a', metadata: { default_args: { limit: 5 } } });
  if (!tool) throw new Error('no tool');
  const same = (recorded: object, planned: object) =>
    isSameCall(okCall('a', null, { ...recorded }), { ...planned }, tool);
  expect(same({ q: 1, limit: 5, use_as_final_output: true }, { q: 1 })).toBe(true);
  expect(same({ q: 1, limit: 5 }, { q: 1, limit: 7 })).toBe(false);
  expect(same({ q: 1, other: 5 }, { q: 1 })).toBe(false);
  expect(same({ q: 1 }, { q: 1, other: 5 })).toBe(false);
});
