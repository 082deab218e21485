import { expect, it } from 'vitest';
import { composeMessages } from '../../../src/planning/model/compose-messages.js';
import { ToolNames } from '../../../src/planning/model/tool-names.js';
import type { RecordedCallStep } from '../../../src/planning/plan-context.js';
import { callStep, failedCall, okCall, planContext } from '../plan-fixtures.js';

/** The number of characters that a model is shown of each result of these steps, oldest first. */
function lengthsOf(steps: readonly RecordedCallStep[]): number[] {
  const context = planContext({ steps });
  return composeMessages(context, new ToolNames(context)).flatMap(({ role, content }) =>
    role === 'tool' ? content.map((part) => JSON.stringify(part).length) : [],
  );
}

it('shows long results in full while together they are within the limit', () => {
  const lengths = lengthsOf(Array.from({ length: 7 }, () => callStep(okCall('a', 'x'.repeat(50_000)))));
  expect(Math.min(...lengths)).toBeGreaterThan(50_000);
});

it('shows only the beginning of the oldest results if all together exceed the limit', () => {
  const steps = Array.from({ length: 30 }, () =>
    callStep(okCall('a', 'x'.repeat(50_000)), okCall('b', 'short')),
  );
  const lengths = lengthsOf(steps);
  expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(460_000);
  expect(lengths[0]).toBeGreaterThan(1_000);
  expect(lengths[0]).toBeLessThan(1_500);
  expect(lengths.at(-2)).toBeGreaterThan(50_000);
});

it('also shortens the message of a failure', () => {
  const [length] = lengthsOf([callStep(failedCall('a', { message: 'x'.repeat(100_000) }))]);
  expect(length).toBeLessThan(61_000);
});
