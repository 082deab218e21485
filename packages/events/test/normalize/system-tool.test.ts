import { describe, expect, test } from 'vitest';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';

const raw = (name: string, payload: object) => ({ name: `system_tool_${name}`, payload });

describe('a system tool', () => {
  test.each([
    [{ params: { q: 1 }, args: { q: 2 } }, { q: 1 }],
    [{ args: { q: 2 } }, { q: 2 }],
    [{ params: {}, args: { q: 2 } }, { q: 2 }],
    [{ params: [1], args: 'x' }, {}],
  ])('that starts with %j has the arguments %j', (fields, args) => {
    const [event] = normalizeStream([raw('start', { tool_name: 'web_search', tool_id: 's', ...fields })]);
    expect(event).toMatchObject({ args, tool: { args } });
  });

  test('that is internal is never shown, even if only its id is known', () => {
    const events = [
      raw('start', { tool_name: 'reevaluate', assignment_id: 'as-1' }),
      raw('chunk', { assignment_id: 'as-1', text: 'thinking' }),
      raw('complete', { assignment_id: 'as-1', result: 1 }),
      raw('error', { tool_name: 'reevaluate', error: 'x' }),
    ];
    expect([...normalizeStream(events)]).toEqual([]);
  });
});
