import { describe, expect, it } from 'vitest';
import { ResumeRequestSchema } from '@svc/contracts/orchestrator';
import { MemoryRunStore } from '../src/store/memory-run-store.js';
import { openOrchestrator } from './support/open-orchestrator.js';
import { readWireVectors, startRequests } from './support/read-vectors.js';
import { scriptedPlanner } from './support/scripted-planner.js';
import { WireClient } from './support/wire-client.js';

const anyTool = new Proxy({}, { get: () => () => ({ ok: true }) });

describe('requests recorded from the original SDK', () => {
  it.each(startRequests())('start a session that runs to its end: $name', async ({ body }) => {
    const { orchestrator } = await openOrchestrator({ keys: [{ key: 'test-key-0001', project: 'p' }] });
    const started = await fetch(`${orchestrator.url}/start-session`, {
      method: 'POST',
      headers: { 'X-API-Key': 'test-key-0001', 'Content-Type': 'application/json', accept: '*/*' },
      body: JSON.stringify(body),
    });
    expect(started.status).toBe(200);
    const session = (await started.json()) as { session_id: string; events_url: string; resume_url: string };
    const client = new WireClient(orchestrator.url, 'test-key-0001');
    const { final, events } = await client.follow(session, anyTool, { answers: () => 'yes' });
    expect(final).toMatchObject({
      status: 'completed',
      session_id: session.session_id,
      responses: expect.any(Array),
    });
    expect(final['thread_id']).toBe(body['thread_id']);
    expect(events.filter(({ name }) => name === 'final')).toHaveLength(1);
  });

  it('post results that match the schema', () => {
    const posts = readWireVectors().flatMap(({ expected }) =>
      (expected.requests ?? []).filter(({ path }) => path.endsWith('/resume')),
    );
    expect(posts.length).toBeGreaterThan(10);
    for (const { body_json } of posts) expect(ResumeRequestSchema.safeParse(body_json).success).toBe(true);
  });
});

describe('private values that original clients send', () => {
  it('are dropped on arrival and reach no store, stream, log or planner', async () => {
    const store = new MemoryRunStore();
    const planner = scriptedPlanner(() => [{ type: 'finish', text: 'ok' }]);
    const logged: unknown[] = [];
    const log = (...entry: unknown[]) => void logged.push(entry);
    const logger = { info: log, warn: log, error: log };
    const { client } = await openOrchestrator({ store, planner, logger });
    let canaries = 0;
    for (const { body } of startRequests()) {
      const { session_id, events_url, resume_url } = (await client.request('POST', '/start-session', body))
        .body;
      const { events } = await client.follow({ events_url, resume_url }, anyTool);
      const record = await store.readRun(session_id);
      const journal = await store.readJournal(session_id, { afterSeq: 0, limit: 1000 });
      const kept = JSON.stringify([record, journal, events, planner.contexts.at(-1), logged]);
      const sent = Object.entries(Object(body['state']).private_data ?? {});
      for (const [name, value] of sent) {
        expect(kept).toContain(name);
        if (String(value).length < 4) continue;
        canaries += 1;
        expect(kept).not.toContain(value);
      }
      expect(Object(record?.request).private_data).toBeUndefined();
    }
    expect(canaries).toBeGreaterThan(3);
  });
});
