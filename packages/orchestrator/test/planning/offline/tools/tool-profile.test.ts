import { describe, expect, it } from 'vitest';
import { toolSetOf } from '../../../../src/planning/offline/tools/tool-profile.js';
import { resultOf, toolsOf } from '../../plan-fixtures.js';

/** Tools that each take the result of the next. */
const chain = (length: number) =>
  toolsOf(
    ...Array.from({ length }, (_, index) => ({
      name: `step_${index}`,
      properties: {
        [`word_${index}`]: { type: 'string' },
        ...(index + 1 < length ? { from: resultOf(`step_${index + 1}`) } : {}),
      },
    })),
  );

describe('toolSetOf', () => {
  it('has the arguments of a tool and of all its producers', () => {
    const [first, , last] = toolSetOf(chain(3)).profiles;
    expect(first?.arguments.map(({ name }) => name)).toEqual(['word_0']);
    expect(first?.producerArguments.map(({ name }) => name)).toEqual(['word_1', 'word_2']);
    expect(last?.producerArguments).toEqual([]);
  });

  it('reads the ids of tools at most once per tool and per path between tools', () => {
    const length = 40;
    let reads = 0;
    const counted = chain(length).map((tool) => ({
      ...tool,
      get tool_id() {
        reads += 1;
        return tool.tool_id;
      },
    }));
    toolSetOf(counted);
    expect(reads).toBeLessThanOrEqual(length + (length * (length - 1)) / 2);
  });
});
