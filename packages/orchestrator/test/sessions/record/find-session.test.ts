import { expect, it } from 'vitest';
import { readSessionState } from '../../../src/sessions/record/find-session.js';
import { eventEntry } from '../../../src/sessions/record/session-record.js';
import { MemoryRunStore } from '../../../src/store/memory-run-store.js';

it('reads the whole journal, however long it is', async () => {
  const store = new MemoryRunStore();
  const run = { sessionId: 's', projectId: 'p', keyId: 'k', labels: {}, owner: 'x', request: {} };
  await store.createRun({ ...run, nowMs: 0, leaseMs: 0 });
  const events = Array.from({ length: 2_500 }, () => eventEntry('enrichment', {}));
  const text = eventEntry('update', { streaming_content: 'last' }, { slot: 'text' });
  await store.append('s', { entries: [...events.slice(0, 700), text, ...events.slice(700), text], nowMs: 0 });
  expect(await readSessionState(store, 's')).toMatchObject({
    lastSeq: 2_502,
    eventCount: 2_500,
  });
});
