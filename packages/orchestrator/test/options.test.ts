import { describe, expect, it } from 'vitest';
import { createOrchestrator } from '../src/create-orchestrator.js';
import type { OrchestratorOptions } from '../src/options.js';
import { Housekeeping } from '../src/store/housekeeping.js';
import { MemoryRunStore } from '../src/store/memory-run-store.js';
import { ManualClock } from './support/manual-clock.js';
import { openOrchestrator } from './support/open-orchestrator.js';
import { request, toolSpec } from './support/requests.js';
import { call, finish, scriptedPlanner } from './support/scripted-planner.js';
import type { WireClient } from './support/wire-client.js';

const planner = () => scriptedPlanner(() => [call(['t-b']), call(['t-b']), finish('ok')]);
const go = request('go', [toolSpec('b')]);

async function firstEvent(client: WireClient, name: string, state: object = go) {
  const { events_url } = await client.start(state);
  for await (const event of client.events(events_url)) if (event.name === name) return event.payload;
  throw new Error(`the stream ended without ${name}`);
}

const open = async (options: OrchestratorOptions) =>
  (await openOrchestrator({ planner: planner(), ...options })).client;

describe('options', () => {
  it('toolTimeoutMs limits the wait for a tool result', async () => {
    const steps = scriptedPlanner([
      call(['t-b']),
      ({ steps }) => ({ type: 'finish', text: JSON.stringify(steps[0]) }),
    ]);
    const client = await open({ planner: steps, toolTimeoutMs: 20 });
    expect((await firstEvent(client, 'final'))['response']).toContain('TOOL_TIMEOUT');
  });

  it('runTimeoutMs limits the duration of a run, even if its request allows more', async () => {
    const client = await open({ runTimeoutMs: 20 });
    expect(await firstEvent(client, 'final')).toMatchObject({ error_info: { code: 'RUN_TIMEOUT' } });
  });

  it('checkpointTtlMs limits how long a question stays open', async () => {
    const question = { question_id: 'q', prompt: '?', input_type: 'text' } as const;
    const asking = scriptedPlanner([{ type: 'ask', questions: [question] }, finish('nobody came')]);
    const client = await open({ planner: asking, checkpointTtlMs: 20 });
    expect(await firstEvent(client, 'final')).toMatchObject({ response: 'nobody came' });
  });

  it('project is the project of the in-process key', async () => {
    const client = await open({ project: 'shop' });
    await client.start(go);
    expect((await client.request('GET', '/sessions')).body.items).toMatchObject([{ project_id: 'shop' }]);
  });

  it('limits.cyclesPerRun caps the planning cycles that a request asks for', async () => {
    const client = await open({ limits: { cyclesPerRun: 1 } });
    const { final } = await client.run({ ...go, orchestration_config: { max_cycles: 9 } }, { b: () => 1 });
    expect(final).toMatchObject({ metadata: { cycles: 1 } });
  });

  it('limits.eventsPerRun fails a run that emits more events', async () => {
    const client = await open({ limits: { eventsPerRun: 6 } });
    const { final } = await client.run(go, { b: () => 1 });
    expect(final).toMatchObject({ error_info: { code: 'RUN_TOO_LONG' } });
  });

  it('limits.resultBodyBytes refuses a larger result with 413', async () => {
    const client = await open({ limits: { resultBodyBytes: 1000 } });
    const { resume_url } = await client.start(go);
    const large = await client.result(resume_url, 'x', 'x'.repeat(1000));
    expect(large).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
  });

  it('keys adds keys, each with its own project', async () => {
    const { orchestrator, client } = await openOrchestrator({
      planner: planner(),
      keys: [{ key: 'mine', project: 'theirs' }],
    });
    await client.start(go);
    const headers = { authorization: 'Bearer mine' };
    const listed = await fetch(`${orchestrator.url}/sessions`, { headers });
    expect(await listed.json()).toEqual({ items: [] });
  });

  it.each(['canary key', 'canary\tkey', 'canary\u0007key', ' canary', 'canary\n', 'canär', ''])(
    'keys rejects %j, which no client can send, without repeating it',
    (key) => {
      const refused = (): unknown => createOrchestrator({ keys: [{ key, project: 'shop' }] });
      expect(refused).toThrow(
        expect.objectContaining({
          code: 'CONFIG_INVALID_API_KEY',
          message: expect.stringMatching(/^The API key of project "shop" must be(?!.*can)/s),
          details: { project: 'shop' },
        }),
      );
    },
  );

  it.each(['other', 'shop'])(
    'keys rejects a duplicate key, of project %s, without repeating it',
    (project) => {
      const keys = [
        { key: 'first', project: 'shop' },
        { key: 'canary', project: 'shop' },
        { key: 'canary', project },
      ];
      const refused = () => createOrchestrator({ keys });
      const details = { option: 'keys' };
      expect(refused).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_OPTION', details }));
      expect(refused).toThrow(/at 1 and at 2/);
      expect(refused).not.toThrow(/canary/);
    },
  );

  it('keys rejects an unknown field of a key', () => {
    const keys = [{ key: 'canary', project: 'shop', operation: ['read'] }];
    const refusal = { code: 'CONFIG_INVALID_OPTION', message: expect.stringContaining('`operation`') };
    expect(() => createOrchestrator({ keys })).toThrow(expect.objectContaining(refusal));
  });

  it('threadRetentionMs and threadTurns limit what is remembered of a thread', async () => {
    const seeing = scriptedPlanner((context) => [finish(`${context.messages.length}`)]);
    const client = await open({ planner: seeing, threadTurns: 1 });
    const says = async (text: string) =>
      (await client.run(request(text), {}, { thread_id: 't' })).final['response'];
    expect([await says('a'), await says('b'), await says('c')]).toEqual(['1', '3', '3']);
    const forgetful = await open({ planner: seeing, threadRetentionMs: 1 });
    await forgetful.run(request('a'), {}, { thread_id: 't' });
    await expect
      .poll(async () => (await forgetful.run(request('b'), {}, { thread_id: 't' })).final['response'])
      .toBe('1');
  });

  it('textIntervalMs is how long streamed text is collected before the next update', async () => {
    const words = scriptedPlanner([
      async (_context, { onText }) => {
        for (const word of ['a', 'b', 'c', 'd']) {
          onText(word);
          await new Promise((resolve) => setImmediate(resolve));
        }
        return { type: 'finish', text: 'abcd' };
      },
    ]);
    const client = await open({ planner: words, textIntervalMs: 60_000 });
    const { events_url } = await client.start(request('go'));
    const texts: string[] = [];
    for await (const { name, payload } of client.events(events_url)) {
      if (name === 'update') texts.push(payload['streaming_content']);
    }
    expect(texts.filter((text) => text !== 'abcd' && text !== 'a')).toEqual([]);
  });

  it('instance is stored as the owner of the runs that a process starts', async () => {
    const store = new MemoryRunStore();
    const client = await open({ store, instance: 'replica-1' });
    const { session_id } = await client.start(go);
    expect(await store.readRun(session_id)).toMatchObject({ owner: 'replica-1' });
  });

  it('leaseMs is how long the lease of a new run lasts', async () => {
    const store = new MemoryRunStore();
    const client = await open({ store, leaseMs: 90_000 });
    const { session_id } = await client.start(go);
    const run = await store.readRun(session_id);
    expect(run?.leaseUntilMs).toBe((run?.createdAtMs ?? 0) + 90_000);
  });
});

it('removes ended sessions after sessionRetentionMs and keeps open ones', async () => {
  const [store, clock] = [new MemoryRunStore(), new ManualClock()];
  const run = {
    projectId: 'p',
    keyId: 'k',
    labels: {},
    request: {},
    owner: 'o',
    leaseMs: 1,
    nowMs: clock.nowMs(),
  };
  await store.createRun({ ...run, sessionId: 'ended' });
  await store.createRun({ ...run, sessionId: 'open' });
  await store.append('ended', { entries: [], nowMs: clock.nowMs(), ends: true });
  const housekeeping = new Housekeeping({
    store,
    memory: { sweep: async () => undefined },
    clock,
    retentionMs: 3_600_000,
    onError: () => undefined,
  });
  housekeeping.open();
  clock.advance(3_600_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await store.readRun('ended')).toBeDefined();
  clock.advance(600_000);
  await expect.poll(() => store.readRun('ended')).toBeUndefined();
  expect(await store.readRun('open')).toBeDefined();
  housekeeping.close();
  expect(clock.waiting).toBe(0);
});

const search = { endpoint: 'https://search.example/?q={query}' };

describe('createOrchestrator', () => {
  it.each([
    ['planner', { planner: 'gpt-x' }, /planner.*modelPlanner/],
    ['store', { store: 'runs.db' }, /store.*sqliteRunStore/],
    ['store without methods', { store: {} }, /store/],
    ['logger', { logger: {} }, /logger/],
    ['keys', { keys: {} }, /keys/],
    ['publicUrl', { publicUrl: 'ftp://plan.example' }, /publicUrl/],
    ['publicUrl with a query', { publicUrl: 'https://plan.example/?a=b' }, /publicUrl.*\?/],
    [
      'publicUrl with a user',
      { publicUrl: 'https://canary@plan.example/' },
      /^(?!.*canary).*publicUrl.*user/,
    ],
    [
      'publicUrl with a password',
      { publicUrl: 'https://:canary@plan.example' },
      /^(?!.*canary).*publicUrl.*user/,
    ],
    ['a misspelled option', { toolTimeout: 3 }, /toolTimeout/],
    ['a misspelled limit', { limits: { stream: 3 } }, /limits\.stream/],
    ['a misspelled system tool', { systemTools: { websearch: search } }, /systemTools\.websearch/],
    [
      'a misspelled option of web_search',
      { systemTools: { webSearch: { ...search, header: {} } } },
      /webSearch\.header/,
    ],
    [
      'a negative timeout of web_search',
      { systemTools: { webSearch: { ...search, timeoutMs: -1 } } },
      /webSearch\.timeoutMs/,
    ],
    [
      'a timeout of web_search beyond the range of a timer',
      { systemTools: { webSearch: { ...search, timeoutMs: 2 ** 31 } } },
      /webSearch\.timeoutMs/,
    ],
    [
      'a time limit of repl beyond the range of a timer',
      { systemTools: { repl: { timeMs: 2 ** 31 } } },
      /repl\.timeMs/,
    ],
    ['a misspelled option of repl', { systemTools: { repl: { time: 5 } } }, /systemTools\.repl\.time/],
    ['a time limit of 0 for repl', { systemTools: { repl: { timeMs: 0 } } }, /systemTools\.repl\.timeMs/],
    ['a misspelled option of memory', { memory: { embeddingmodel: 'x' } }, /memory\.embeddingmodel/],
    ['embeddingModel', { memory: { embeddingModel: {} } }, /memory\.embeddingModel/],
    ['a project with a NUL character', { project: 'shop\0' }, /project is invalid: .*no NUL/],
    ['a blank project', { project: ' ' }, /project is invalid: .*blank/],
    // A store keeps times as whole numbers, and the API shows them as dates.
    ['a fraction of a millisecond', { leaseMs: 20_000 / 3 }, /leaseMs is invalid: .*int/],
    ['a time without an end', { checkpointTtlMs: Number.MAX_SAFE_INTEGER }, /checkpointTtlMs is invalid: /],
  ])('throws a RangeError that names the invalid option: %s', (_, options: object, named) => {
    const refused = () => createOrchestrator(options);
    expect(refused).toThrow(RangeError);
    expect(refused).toThrow(named);
  });

  it.each<[string, object, RegExp]>([
    ['an option', { plannr: {} }, /: unknown option 'plannr'. Known options: limits, .*, planner, .*\.$/],
    ['a limit', { limits: { tols: 1 } }, /: unknown option 'limits\.tols'. Known options: .*\.$/],
    [
      'an option of memory',
      { memory: { pth: 'x' } },
      /: unknown option 'memory\.pth'. Known options: embeddingModel, path\.$/,
    ],
  ])('lists the known options where %s is misspelled', (_, options, message) => {
    expect(() => createOrchestrator(options)).toThrow(message);
  });

  it.each(['https://plan.example', 'plan.example:443', 'plan.example/', '::1', ''])(
    'rejects the allowed host "%s"',
    (host) => {
      expect(() => createOrchestrator({ allowedHosts: ['a', host] })).toThrow(
        /allowedHosts\.1 is invalid: .*port/,
      );
    },
  );

  it('accepts options that are all valid', async () => {
    const options = {
      systemTools: { webSearch: { ...search, headers: { 'x-key': 'k' }, maxBytes: 9 }, repl: { timeMs: 5 } },
      memory: { path: ':memory:' },
      publicUrl: 'https://plan.example/@base/',
      allowedHosts: ['plan.example', '10.1.2.3', '[fd00::1]', 'größer.example'],
      project: 'größer shop',
      keys: [{ key: 'mine', project: 'theirs' }],
    };
    await createOrchestrator(options).close();
    await createOrchestrator({ systemTools: { repl: false } }).close();
  });
});
