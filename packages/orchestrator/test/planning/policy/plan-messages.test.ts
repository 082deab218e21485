import { SessionRequestSchema } from '@svc/contracts/orchestrator';
import { describe, expect, it } from 'vitest';
import { planMessages } from '../../../src/planning/policy/plan-messages.js';

describe('planMessages', () => {
  it('reads text parts and attachments of every kind of message', () => {
    const { messages } = SessionRequestSchema.parse({
      messages: [
        { type: 'system', content: 'Be brief.' },
        {
          type: 'human',
          content: ['Look at this', { type: 'text', text: 'and that' }, { type: 'image' }],
          additional_kwargs: { attachments: [{ name: 'a.txt', text_content: 'hello' }, 'nonsense'] },
        },
        { type: 'ai', content: 'Yes.' },
      ],
    });
    expect(planMessages(messages)).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: 'Look at this\nand that\n[image]',
        attachments: [{ name: 'a.txt', mime_type: 'application/octet-stream', text: 'hello' }],
      },
      { role: 'assistant', content: 'Yes.' },
    ]);
  });
});
