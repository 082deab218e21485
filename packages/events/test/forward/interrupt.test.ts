import { expect, test } from 'vitest';
import { forwardNormalizedEvent } from '../../src/forward/forward.js';
import { NormalizedEventForwardingState } from '../../src/forward/state.js';
import { buildInterruptRequiredPayload } from '../../src/payloads/interrupt.js';
import { recordingBridge } from './recording-bridge.ts';

const question = { interruptId: 'i', dataKey: 'k', prompt: 'p' };

test.each([
  [undefined, '1970-01-01T00:00:00.000Z'],
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
])('a question with timestamp %s is forwarded with timestamp %s', async (timestamp, expected) => {
  const { bridge, events } = recordingBridge();
  const state = new NormalizedEventForwardingState({ now: () => new Date(0) });
  const asked = buildInterruptRequiredPayload({ ...question, timestamp: timestamp ?? null });
  await forwardNormalizedEvent(asked, { bridge, state });
  expect(events[0]?.data.timestamp).toBe(expected);
});
