import { expect, it } from 'vitest';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { readWireVectors } from '../support/read-vectors.js';

it('answers a recorded preview request like the original', async () => {
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

it('stores no run', async () => {
  const store = new MemoryRunStore();
  const { client } = await openOrchestrator({ store });
  await client.request('POST', '/preview-redaction', {
    message: { type: 'redacted', content: 'canary@example.com' },
  });
  expect(await store.listRuns({ limit: 10 })).toEqual([]);
});

it('does not count a message in which nothing was found', async () => {
  const { client } = await openOrchestrator({});
  const message = { type: 'redacted', content: 'nothing to see' };
  expect((await client.request('POST', '/preview-redaction', { message })).body).toMatchObject({
    message: { content: 'nothing to see' },
    redacted_message_count: 0,
    redacted_value_count: 0,
  });
});

it('reads a message as leniently as a start does, and leaves whitelisted values', async () => {
  const { client } = await openOrchestrator({});
  const { body } = await client.request('POST', '/preview-redaction', {
    message: { role: 'Redacted', content: 'ada@example.com, bob@example.com' },
    pii_whitelist: { entries: [{ value: 'bob@example.com', justification: 'published' }] },
  });
  expect(body.message.content).toMatch(/, bob@example\.com$/);
  expect(body.redacted_value_count).toBe(1);
});

it('shows the files of a message as redacted as its text, also in base64', async () => {
  const { client } = await openOrchestrator({});
  const file = (text: string) => ({ name: 'a.txt', mime_type: 'text/plain', content_base64: btoa(text) });
  const attachments = [file('Mail ada@example.com'), file('Nothing')];
  const { body } = await client.request('POST', '/preview-redaction', {
    message: { type: 'redacted', content: 'See the files', additional_kwargs: { attachments } },
  });
  expect(body.message.additional_kwargs.attachments).toEqual([
    file('Mail {_{pii_email_1}_}'),
    file('Nothing'),
  ]);
  expect(body).toMatchObject({ redacted_message_count: 1, redacted_value_count: 1 });
});

it('names a known value after its type if it has no name', async () => {
  const { client } = await openOrchestrator({});
  const { body } = await client.request('POST', '/preview-redaction', {
    message: { type: 'redacted', content: 'Ask Maria Santos' },
    known_pii_values: [{ value: 'Maria Santos', pii_type: 'person' }],
  });
  expect(body.message.content).toBe('Ask {_{pii_person_1}_}');
});

it.each([
  ['a request without a message', {}],
  ['a message of another type', { message: { type: 'human', content: 'x' } }],
])('refuses %s', async (_, body) => {
  const { client } = await openOrchestrator({});
  expect(await client.request('POST', '/preview-redaction', body)).toMatchObject({
    status: 422,
    body: { code: 'INVALID_REQUEST' },
  });
});

it('refuses more whitelist patterns than can be compiled at once', async () => {
  const { client } = await openOrchestrator({});
  const entry = { pattern: 'a'.repeat(4_000), justification: 'our own addresses' };
  const { status, body } = await client.request('POST', '/preview-redaction', {
    message: { type: 'redacted', content: 'x' },
    pii_whitelist: { entries: Array.from({ length: 5 }, () => entry) },
  });
  expect([status, body]).toMatchObject([422, { code: 'INVALID_WHITELIST' }]);
});

it('refuses more private and known values than can be compiled at once', async () => {
  const { client } = await openOrchestrator({});
  const known = Array.from({ length: 2_500 }, (_, i) => `known-${i}`);
  const preview = (private_data: object) =>
    client.request('POST', '/preview-redaction', {
      message: { type: 'redacted', content: 'x', known_pii_values: known },
      known_pii_values: known,
      private_data,
    });
  expect(await preview({})).toMatchObject({ status: 200 });
  expect(await preview({ card: 'tok_9f31' })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_REQUEST' },
  });
});
