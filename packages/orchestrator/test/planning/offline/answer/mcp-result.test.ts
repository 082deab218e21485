import type { JsonValue } from '@svc/contracts';
import { expect, it } from 'vitest';
import { offlinePlanner } from '../../../../src/planning/offline/offline-planner.js';
import { planContext, toolsOf, type ToolSketch } from '../../plan-fixtures.js';
import { play } from '../../play.js';

const answerWith = async (result: JsonValue, type: ToolSketch['type'] = 'mcp') => {
  const tools = toolsOf({ name: 'server_status', description: 'Tell the status of the server', type });
  const start = planContext({ request: 'What is the server status?', tools });
  return (await play(start, { planner: offlinePlanner(), answers: { server_status: result } })).text;
};
const text = (said: string) => ({ type: 'text', text: said });

it.each<[string, JsonValue, string]>([
  ['the text', { is_error: false, content: [text('All is well.')] }, 'All is well.'],
  [
    'the texts, with a label for other content,',
    { is_error: false, content: [text('One.'), { type: 'image', data: 'AAAA' }] },
    '```\nOne.\n[image]\n```',
  ],
  [
    'the structured content rather than the text',
    { is_error: false, content: [text('{"state":"up"}')], structured_content: { state: 'up' } },
    '- **state**: up',
  ],
  ['“done” for an empty result', { is_error: false }, 'server status: done.'],
  ['the failure', { is_error: true, content: [text('No route.')] }, 'server status failed: No route.'],
])('shows %s of an MCP tool', async (_name, result, answer) => {
  expect(await answerWith(result)).toBe(answer);
});

it('does not unwrap an MCP-shaped result of another kind of tool, nor a plain result of an MCP tool', async () => {
  expect(await answerWith({ is_error: false, content: [text('x')] }, 'func')).toContain('is error');
  expect(await answerWith('replaced by a hook')).toBe('replaced by a hook');
});
