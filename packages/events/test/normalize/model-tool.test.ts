import { expect, test } from 'vitest';
import { normalizeStream } from '../../src/normalize/normalize-stream.js';

const modelTool = (event_id: string, result: unknown) => ({
  name: 'model_tool_complete',
  payload: { tool_name: 'Report', event_id, result },
});

test.each([
  ['of the final event', { result: { from: 'final' } }, { from: 'final' }],
  ['of the latest model tool when the final event has none', {}, { b: 1 }],
])('model tools complete at the end, the last one with the result %s', (_, final, result) => {
  const raw = [modelTool('m-1', { a: 1 }), modelTool('m-2', { b: 1 }), { name: 'final', payload: final }];
  const tools = [...normalizeStream(raw)].filter((event) => event.event_name === 'tool_event');
  expect(tools.map(({ tool_id, status, result }) => ({ tool_id, status, result }))).toEqual([
    { tool_id: 'm-1', status: 'executing', result: null },
    { tool_id: 'm-2', status: 'executing', result: null },
    { tool_id: 'm-1', status: 'completed', result: null },
    { tool_id: 'm-2', status: 'completed', result },
  ]);
});
