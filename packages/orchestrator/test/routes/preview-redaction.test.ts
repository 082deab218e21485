import { expect, it } from 'vitest';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { readWireVectors } from '../support/read-vectors.js';

it('answers the recorded preview of the original as the original does', async () => {
  const vector = readWireVectors().find(({ id }) => id === 'wire/preview-redaction');
  const { client } = await openOrchestrator({});
  const { status, body } = await client.request(
    'POST',
    '/preview-redaction',
    vector?.expected.requests?.[0]?.body_json,
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    message: { type: 'redacted', content: 'Mail {_{pii_email_1}_}' },
    inserted_keys: ['pii_email_1'],
    added_private_data: { pii_email_1: 'john@example.com' },
    merged_private_data: { pii_email_1: 'john@example.com', billing_token: 'tok-secret-123', extra: 1 },
    redacted_message_count: 1,
    redacted_value_count: 1,
    matched_known_pii_values: ['john@example.com'],
    unmatched_known_pii_values: ['x'],
  });
});

it('keeps nothing of what it saw', async () => {
  const store = new MemoryRunStore();
  const { client } = await openOrchestrator({ store });
  await client.request('POST', '/preview-redaction', {
    message: { type: 'redacted', content: 'canary@example.com' },
  });
  expect(await store.listRuns({ limit: 10 })).toEqual([]);
});

it.each([
  ['no message', {}],
  ['a message of another kind', { message: { type: 'human', content: 'x' } }],
])('refuses %s', async (_, body) => {
  const { client } = await openOrchestrator({});
  expect(await client.request('POST', '/preview-redaction', body)).toMatchObject({
    status: 422,
    body: { code: 'INVALID_REQUEST' },
  });
});
