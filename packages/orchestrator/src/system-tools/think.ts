import type { SystemTool } from './system-tool.js';

/** Lets a planner write down its thoughts. It changes nothing; the thought stays in the run. */
export const thinkTool: SystemTool = {
  name: 'think',
  description:
    'Write down a thought before you act: what is known, what is missing, what to do next. Nothing is changed.',
  parameters: {
    type: 'object',
    properties: { thought: { type: 'string', minLength: 1, maxLength: 20_000 } },
    required: ['thought'],
  },
  run: async ({ thought }, { onChunk }) => {
    onChunk(String(thought));
    return { noted: true };
  },
};
