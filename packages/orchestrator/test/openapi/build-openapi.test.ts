import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { ROUTES } from '../../src/build-server.js';
import { buildOpenApi } from '../../src/openapi/build-openapi.js';
import { OPERATIONS } from '../../src/openapi/operations.js';
import type { RouteContext } from '../../src/routes/route-context.js';
import { openOrchestrator } from '../support/open-orchestrator.js';

const file = join(import.meta.dirname, '../../openapi.json');

it('matches the published openapi.json; run with UPDATE_OPENAPI=1 to rewrite it', () => {
  const built = `${JSON.stringify(buildOpenApi(), null, 2)}\n`;
  if (process.env['UPDATE_OPENAPI']) writeFileSync(file, built);
  expect(readFileSync(file, 'utf8')).toBe(built);
});

it('describes exactly the routes of the server', () => {
  const routes: string[] = [];
  const record = (method: string) => (path: string) =>
    void routes.push(`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const recorder = {
    get: record('get'),
    post: record('post'),
    delete: record('delete'),
    patch: record('patch'),
  };
  const app = { ...recorder, addHook: () => undefined } as unknown as FastifyInstance;
  const context = { limits: {}, metrics: {} } as RouteContext;
  for (const addRoutes of ROUTES) addRoutes(app, context);
  const snake = (path: string) => path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(routes.map(snake).toSorted()).toEqual(
    OPERATIONS.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

it('contains every schema it refers to', () => {
  const text = JSON.stringify(buildOpenApi());
  const { components } = JSON.parse(text);
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(components.schemas).toHaveProperty(name ?? '');
});

it('is served at /openapi.json', async () => {
  const { client } = await openOrchestrator({});
  const { body } = await client.request('GET', '/openapi.json');
  expect(body).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});

it('lists the codes with which a start is refused', () => {
  const { responses } = JSON.parse(JSON.stringify(buildOpenApi())).paths['/start-session'].post;
  const planning = ['DUPLICATE_TOOL', 'TOOL_CYCLE', 'UNKNOWN_TARGET', 'TARGETS_CONFLICT'];
  for (const code of [...planning, 'NO_FINAL_TOOL', 'SEVERAL_FINAL_TOOLS'])
    expect(responses[422].description.split(', ')).toContain(code);
  expect(responses[413].description).toBe('BODY_TOO_LARGE, RESOURCE_TOO_LARGE');
});

it('lists 400, 413, 415 and 422 for every operation that can have a body', async () => {
  const { paths } = JSON.parse(JSON.stringify(buildOpenApi()));
  for (const { method, path } of OPERATIONS.filter((each) => each.method !== 'get'))
    expect([path, Object.keys(paths[path][method].responses)]).toEqual([
      path,
      expect.arrayContaining(['400', '413', '415', '422']),
    ]);
  const { client } = await openOrchestrator({});
  const remove = (body: string) => client.request('DELETE', '/projects/local/memory/skills/x', body);
  expect((await remove('{')).status).toBe(400);
  expect((await remove('')).status).toBe(404);
});

it('describes every unlisted response as an ErrorBody', () => {
  const { paths } = JSON.parse(JSON.stringify(buildOpenApi()));
  for (const { method, path } of OPERATIONS)
    expect([path, paths[path][method].responses.default?.content['application/json'].schema]).toEqual([
      path,
      { $ref: '#/components/schemas/ErrorBody' },
    ]);
});

it('describes its own response as an object', () => {
  const { paths, components } = JSON.parse(JSON.stringify(buildOpenApi()));
  const { schema } = paths['/openapi.json'].get.responses[200].content['application/json'];
  expect(components.schemas[schema.$ref?.split('/').at(-1)]).toMatchObject({ type: 'object' });
});

it('describes the 503 response of /health/ready as Health', () => {
  const { responses } = JSON.parse(JSON.stringify(buildOpenApi())).paths['/health/ready'].get;
  const { $ref } = responses[503].content['application/json'].schema;
  expect($ref).toBe('#/components/schemas/Health');
});

it.each([
  ['post', '/start-session', 'Idempotency-Key'],
  ['get', '/sessions/{session_id}/events', 'Last-Event-ID'],
])('describes the header of %s %s: %s', (method, path, name) => {
  const { parameters } = JSON.parse(JSON.stringify(buildOpenApi())).paths[path][method];
  expect(parameters).toContainEqual(expect.objectContaining({ name, in: 'header' }));
});
