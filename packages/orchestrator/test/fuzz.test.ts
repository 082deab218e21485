import * as fc from 'fast-check';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createOrchestrator } from '../src/create-orchestrator.js';
import type { Orchestrator } from '../src/orchestrator.js';
import { OPERATIONS } from '../src/openapi/operations.js';
import { offlinePlanner } from '../src/planning/offline/offline-planner.js';
import type { Planner } from '../src/planning/planner.js';
import { call, finish, scriptedPlanner } from './support/scripted-planner.js';
import { startRequests } from './support/read-vectors.js';
import { request, toolSpec } from './support/requests.js';
import { WireClient, type WireResponse } from './support/wire-client.js';

let orchestrator: Orchestrator;
let victim: WireClient;
let attacker: WireClient;
let sessionId: string;
const canary = 'canary-of-the-victim';
/** The offline planner for recorded requests, a script for those of this file. */
const offline = offlinePlanner();
const script = scriptedPlanner(() => [call(['t-b']), finish('ok')]);
const planner: Planner = {
  name: 'either',
  next: (context, io) => (context.tools[0]?.tool_id === 't-b' ? script : offline).next(context, io),
};
/** Both projects have memory under this id. */
const sameId = 'same-id';
const serverErrors: unknown[] = [];
const quiet = () => undefined;

beforeAll(async () => {
  const error = (fields: object) => void serverErrors.push(fields);
  orchestrator = createOrchestrator({
    planner,
    logger: { info: quiet, warn: quiet, error },
    limits: { startsPerMinute: 1_000_000, openSessionsPerProject: 1_000_000 },
  });
  await orchestrator.listen({ port: 0 });
  const clientOf = async (project: string) =>
    new WireClient(orchestrator.url, (await orchestrator.keys.create({ project })).key);
  [victim, attacker] = [await clientOf('victim'), await clientOf('attacker')];
  ({ session_id: sessionId } = await victim.start(request(canary, [toolSpec('b')]), { thread_id: canary }));
  await victim.request('POST', '/projects/victim/memory/insights', { id: sameId, content: canary });
  const mine = { id: sameId, name: 'n', content: 'c', text_content: 't' };
  for (const kind of ['skills', 'insights', 'resources'])
    await attacker.request('POST', `/projects/attacker/memory/${kind}`, mine);
});
afterAll(() => orchestrator.close());

/** Expects no server error, a code on every refusal, and nothing of another project. */
function expectHarmless({ status, body }: WireResponse): void {
  expect(status).toBeLessThan(500);
  expect(JSON.stringify(body ?? '')).not.toContain(canary);
  if (status >= 400) expect(body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
}

async function expectAlive(): Promise<void> {
  expect((await victim.request('GET', `/sessions/${sessionId}`)).status).toBe(200);
  expect(serverErrors).toEqual([]);
}

/** A recorded request with a few values replaced by arbitrary JSON. */
const mutated = fc
  .tuple(
    fc.constantFrom(...startRequests().map(({ body }) => body)),
    fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 3 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([body, changes]) => {
    const copy = structuredClone(body);
    for (const [nth, value] of changes) changePlace(copy, nth, value);
    return copy;
  });

function changePlace(root: object, nth: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, inner] of Object.entries(node)) {
      places.push([Object(node), key]);
      visit(inner);
    }
  };
  visit(root);
  const place = places[nth % Math.max(1, places.length)];
  if (place) place[0][place[1]] = value;
}

/** Fields of a schema, with values that may be valid or not. */
function fieldsOf(schema: z.ZodType | undefined): fc.Arbitrary<object> {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const word = fc.constantFrom('agent', 'org', 'active', 'text/plain', 'PURGE_MEMORY', sameId, btoa(sameId));
  const value = fc.oneof(word, fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue());
  return names.length === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom(...names), value);
}

const text = fc.oneof(fc.string(), fc.constantFrom('-1', '1.5', '1e999', '9'.repeat(30)));

/** A request of any operation, to the attacker's own project or the victim's. */
const operation = fc.constantFrom(...OPERATIONS).chain(({ method, path, query, body }) =>
  fc.record({
    method: fc.constant(method.toUpperCase()),
    path: fc
      .tuple(fc.constantFrom('attacker', 'attacker', 'victim'), fc.oneof(fc.constant(sameId), fc.string()))
      .map(([project, id]) =>
        path
          .replaceAll(/\{(project|organization)_id\}/g, project)
          .replaceAll(/\{\w+\}/g, encodeURIComponent(id)),
      ),
    query: fc.dictionary(fc.constantFrom('x', ...Object.keys(query ?? {})), text),
    body: method === 'get' ? fc.constant(undefined) : fieldsOf(body?.schema),
  }),
);

describe('any request', () => {
  it('with a mutated recorded body is accepted or refused with a code, never with a server error', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async (body) => {
        const response = await attacker.request('POST', '/start-session', body);
        expectHarmless(response);
        if (response.status !== 200) return;
        // An accepted session must also be readable and stop when it is cancelled.
        const { body: history } = await attacker.request('GET', response.body.events_url, undefined, {
          accept: 'application/json',
        });
        expect(JSON.stringify(history)).not.toContain(canary);
        const stopped = await attacker.request('DELETE', `/sessions/${response.body.session_id}`);
        expect([200, 202]).toContain(stopped.status);
      }),
      { numRuns: 250 },
    );
    await expectAlive();
  });

  it('with arbitrary bytes as its body never causes a server error', async () => {
    const paths = fc.constantFrom('/start-session', `/sessions/${sessionId}/resume`, '/preview-redaction');
    const bytes = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('{"__proto__":{"a":1}}'));
    await fc.assert(
      fc.asyncProperty(paths, bytes, async (path, body) => {
        expectHarmless(await attacker.request('POST', path, body));
      }),
      { numRuns: 150 },
    );
    await expectAlive();
  });

  it('with any method, path, query, cursor and Accept header never causes a server error', async () => {
    const id = fc.oneof(fc.constant(sessionId), fc.constant(`${sessionId}.x`), fc.string({ maxLength: 300 }));
    const asked = fc.record({
      method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'),
      path: id.chain((text) =>
        fc.constantFrom(
          `/sessions/${encodeURIComponent(text)}`,
          `/sessions/${encodeURIComponent(text)}/events`,
          `/sessions/${encodeURIComponent(text)}/resume`,
          `/api/v1/checkpoints/${encodeURIComponent(text)}/resume`,
          `/sessions?cursor=${encodeURIComponent(text)}`,
          `/sessions?limit=${encodeURIComponent(text)}&thread_id=${encodeURIComponent(text)}`,
          `/${encodeURIComponent(text)}`,
          `/%${text.replaceAll(/[^\w]/g, '')}`,
        ),
      ),
      cursor: fc.constantFrom('0', '-1', '99999999999999999999', 'abc', ''),
      accept: fc.constantFrom('text/event-stream', 'application/json', '*/*', 'x', ''),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ method, path, cursor, accept }) => {
        const body = method === 'POST' || method === 'DELETE' ? {} : undefined;
        expectHarmless(await attacker.request(method, path, body, { 'last-event-id': cursor, accept }));
      }),
      { numRuns: 250 },
    );
    await expectAlive();
  });

  it('with arbitrary fields of any operation neither causes a server error nor reaches another project', async () => {
    await fc.assert(
      fc.asyncProperty(operation, async ({ method, path, query, body }) => {
        expectHarmless(await attacker.request(method, `${path}?${new URLSearchParams(query)}`, body));
        // With memory turned off by the policy, the following requests would prove little.
        if (method === 'PATCH' && path.endsWith('memory-policy'))
          await attacker.request('PATCH', '/organizations/attacker/memory-policy', { enabled: true });
      }),
      { numRuns: 400 },
    );
    await expectAlive();
    const memory = await victim.request('GET', '/projects/victim/memory/insights');
    expect(memory.body.items).toMatchObject([{ content: canary }]);
  });

  it('with an arbitrary Authorization header is refused with 401', async () => {
    const header = fc.string({ unit: 'grapheme-ascii', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(header, async (text) => {
        const headers = { authorization: text };
        const response = await fetch(`${orchestrator.url}/sessions`, { headers });
        expect(response.status).toBe(401);
      }),
      { numRuns: 80 },
    );
  });
});

it('a run completes whatever its tool returns', async () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constant('error: x'), fc.constant({ error: 1 }));
  await fc.assert(
    fc.asyncProperty(value, async (result) => {
      const session = await attacker.start(request('go', [toolSpec('b')]));
      const { final } = await attacker.follow(session, { b: () => result });
      expect(final).toMatchObject({ status: 'completed' });
    }),
    { numRuns: 60 },
  );
  await expectAlive();
});
