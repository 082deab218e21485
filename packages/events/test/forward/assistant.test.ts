import { expect, test } from 'vitest';
import { forwardNormalizedStream } from '../../src/forward/forward.js';
import { buildAssistantChunkPayload } from '../../src/payloads/assistant.js';
import { recordingReporter } from '../golden/recording-reporter.ts';

test('a chunk that replaces content restarts the full text', async () => {
  const { reporter, calls } = recordingReporter('full');
  await forwardNormalizedStream(
    [
      buildAssistantChunkPayload({ assistantId: 'a', text: 'Hello' }),
      buildAssistantChunkPayload({ assistantId: 'a', text: 'Other', replaceContent: true }),
    ],
    { reporter },
  );
  expect(calls.at(-1)?.arguments).toEqual({
    assistant_id: 'a',
    text: 'Other',
    full_text: 'Other',
    replace_content: true,
  });
});
