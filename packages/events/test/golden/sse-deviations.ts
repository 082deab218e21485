import { buildFinalPayload } from '../../src/payloads/turn.js';
import { buildStatusMessagePayload } from '../../src/payloads/status.js';
import type { Deviation } from './deviations.ts';

const end = 'end of stream';
const keepalive = 'keepalive';
const status = (emitted: number, message: string) => ({
  event: 'status_message',
  emitted,
  data: buildStatusMessagePayload({ assistantId: 'orch', message }),
});
const final = (emitted: number, response = 'done') => ({
  event: 'final',
  emitted,
  data: buildFinalPayload({ response }),
});
const evt = (i: number) => ({ event: 'evt', emitted: i, data: { i } });
/** `before` is the position of the event whose id the gap event has: the last one that is not sent. */
const gap = (before: number, data: { reason: string; requested: unknown; oldest: number }) => ({
  event: 'stream_gap',
  emitted: before,
  data,
});

/** Listed in docs/compatibility.md, "Events: bridge and stream". */
export const sseDeviations: Readonly<Record<string, readonly Deviation[]>> = {
  'sse/unknown-cursor-replays-all': [
    {
      path: 'streams.a',
      ours: [
        gap(-1, { reason: 'unknown', requested: 'not-a-known-id', oldest: 0 }),
        status(0, '1'),
        final(1),
        end,
      ],
    },
  ],
  'sse/evicted-cursor-replays-buffer-and-warns': [
    {
      path: 'streams.a',
      ours: [gap(3, { reason: 'evicted', requested: 0, oldest: 4 }), evt(4), evt(5), final(6), end],
    },
  ],
  'sse/terminal-type-is-exact': [
    { path: 'streams.a', ours: [final(0, 'x'), end] },
    { path: 'logs.closed bridge', ours: 2 },
  ],
  'sse/drop-newest-loses-live-but-replays': [{ path: 'logs.queue full', ours: undefined }],
  'sse/closed-after-terminal-second-client': [
    { path: 'streams.b', ours: [status(0, '1'), status(1, '2'), final(2), end] },
  ],
  'sse/two-live-clients-compete': [
    { path: 'streams.a', ours: [keepalive, status(0, '1'), status(1, '2')] },
    { path: 'streams.b', ours: [keepalive, status(0, '1'), status(1, '2')] },
  ],
  'sse/evicted-but-still-queued-events-delivered-late': [
    { path: 'streams.a', ours: [evt(3), evt(4), keepalive, keepalive, keepalive, keepalive] },
  ],
  'sse/json-encoding-nan-infinity': [{ path: 'streams.a.0.data', ours: { a: null, b: null, c: null } }],
  'sse/event-name-with-newline': [
    { path: 'results', ours: [{ op_index: 0, error: 'TypeError' }] },
    { path: 'streams.a', ours: [final(0), end] },
  ],
};
