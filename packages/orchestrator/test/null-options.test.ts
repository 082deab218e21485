import { afterEach, expect, it } from 'vitest';
import { createOrchestrator, modelPlanner } from '../src/index.js';
import { sqliteRunStore } from '../src/sqlite.js';
import { scriptedModel } from './planning/model/scripted-model.js';
import { openOrchestrator } from './support/open-orchestrator.js';
import { request } from './support/requests.js';

/** What a caller without types can pass. */
const untyped = (options: unknown) => options as never;
const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const limits = nulls([
  'startBodyBytes',
  'resultBodyBytes',
  'openSessionsPerProject',
  'startsPerMinute',
  'streams',
  'streamsPerProject',
  'eventsPerRun',
  'cyclesPerRun',
  'memoryRecordsPerProject',
  'memoryBytesPerProject',
]);
const search = {
  endpoint: 'https://search.example/?q={query}',
  ...nulls(['headers', 'allowPrivateAddresses', 'timeoutMs', 'maxBytes', 'lookup']),
};

it.each<[string, unknown]>([
  ['all options', null],
  ['the components', nulls(['planner', 'store', 'logger', 'memory', 'keys', 'systemTools', 'limits'])],
  [
    'the durations',
    nulls([
      'runTimeoutMs',
      'toolTimeoutMs',
      'checkpointTtlMs',
      'sessionRetentionMs',
      'threadRetentionMs',
      'threadTurns',
      'heartbeatIntervalMs',
      'leaseMs',
      'keyCheckIntervalMs',
      'textIntervalMs',
    ]),
  ],
  ['the names', nulls(['instance', 'publicUrl', 'allowedHosts', 'project'])],
  ['each limit', { limits }],
  ['the memory', { memory: nulls(['embeddingModel', 'path']) }],
  ['the system tools', { systemTools: nulls(['webSearch', 'repl']) }],
  ['web search', { systemTools: { webSearch: search } }],
  ['a header of web search', { systemTools: { webSearch: { ...search, headers: nulls(['x-key']) } } }],
  ['the repl', { systemTools: { repl: nulls(['memoryBytes', 'timeMs', 'outputLength', 'maxConcurrent']) } }],
  ['a key', { keys: [{ key: 'mine', project: 'shop', ...nulls(['organization', 'operations']) }] }],
])('an orchestrator treats null as absent: %s', async (_what, options) => {
  const orchestrator = createOrchestrator(untyped(options));
  opened.push(orchestrator);
  expect(await orchestrator.keys.list()).toEqual([]);
});

it('runs with the defaults of options that are null', async () => {
  const { client } = await openOrchestrator(
    untyped({ limits, memory: nulls(['embeddingModel', 'path']), ...nulls(['planner', 'store', 'project']) }),
  );
  expect((await client.run(request('hello'), {})).final).toMatchObject({ status: 'completed' });
  expect((await client.request('GET', '/sessions')).body.items).toMatchObject([{ project_id: 'local' }]);
});

it('listens, creates and lists keys, and closes with options that are null', async () => {
  const orchestrator = createOrchestrator();
  opened.push(orchestrator);
  await orchestrator.listen(untyped({ host: null, port: 0 }));
  expect(new URL(orchestrator.url).hostname).toBe('127.0.0.1');
  const made = await orchestrator.keys.create(
    untyped({ project: 'shop', ...nulls(['organization', 'operations']) }),
  );
  const key = { id: made.id, project: 'shop', createdAt: expect.any(String) };
  expect(await orchestrator.keys.list(untyped({ project: null }))).toEqual([key]);
  expect(await orchestrator.keys.list(untyped(null))).toEqual([key]);
  await orchestrator.close(untyped(null));
});

it('plans with a model whose other options are null', async () => {
  const model = scriptedModel([{ text: ['Hello.'] }]);
  const planner = modelPlanner(
    untyped({
      model,
      models: { fast: null },
      ...nulls(['maxOutputTokens', 'maxOutputBytes', 'maxRetries', 'timeoutMs']),
    }),
  );
  modelPlanner(untyped({ model, models: null }));
  const { client } = await openOrchestrator({ planner });
  expect((await client.run(request('hello'), {})).final).toMatchObject({ response: 'Hello.' });
});

it('opens a SQLite store whose other options are null', async () => {
  const store = sqliteRunStore(untyped({ path: ':memory:', synchronous: null }));
  opened.push(store);
  expect(await store.readRun('s')).toBeUndefined();
});

it('reads inherited options', async () => {
  const store = sqliteRunStore(Object.create({ path: ':memory:' }));
  opened.push(store);
  expect(await store.readRun('s')).toBeUndefined();
});
