import { describe, expect, it } from 'vitest';
import { modelPlanner } from '../../src/planning/model/model-planner.js';
import { MemoryRunStore } from '../../src/store/memory-run-store.js';
import { scriptedModel } from '../planning/model/scripted-model.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { WireClient } from '../support/wire-client.js';

const canary = 'tok_CANARY_4711';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const file = {
  name: `${canary}.txt`,
  mime_type: 'text/plain',
  content_base64: base64(`the card ${canary}!`),
};

/** What an original client sends: the private values, and other fields that contain them. */
const state = request(
  'go',
  [
    toolSpec('b', {}, { description: `Charges ${canary}`, metadata: { owner: canary } }),
    toolSpec('c', { card: { type: 'string', default: canary, enum: [canary, 'other'] } }),
  ],
  {
    messages: [{ type: 'human', content: 'go', attachments: [{ ...file, text_content: `card: ${canary}` }] }],
    private_data: { card: canary, account: 48_151_623 },
    metadata: { [canary]: 1, deep: [{ card: canary, account: 48_151_623 }] },
    memory_assets_config: {
      bound_resources: [file],
      defined_skills: [{ name: canary, content: canary, steps: [canary] }],
    },
    memory_config: { enabled: true, level: 'clarity' },
    swarm_config: { swarm_system_prompt: `Use ${canary}.` },
    private_data_schema: [{ data_key: 'card', description: `like ${canary}` }],
  },
);

const question = { question_id: 'note', prompt: 'Which card?', input_type: 'text' as const };
const approval = { question_id: 'sure', prompt: 'Sure?', input_type: 'boolean' as const };

async function open() {
  const store = new MemoryRunStore();
  const planner = scriptedPlanner([
    call(['t-b'], ['t-b'], ['t-c', { card: 'other' }]),
    { type: 'ask', questions: [question, approval] },
    finish('ok'),
  ]);
  const logged: unknown[] = [];
  const log = (...entry: unknown[]) => void logged.push(entry);
  const shared = {
    store,
    planner,
    logger: { info: log, warn: log, error: log },
    keys: [{ key: 'shared-key-0001', project: 'p' }],
  };
  const first = await openOrchestrator({ ...shared, instance: 'first' });
  const client = new WireClient(first.orchestrator.url, 'shared-key-0001');
  return { store, planner, logged, shared, client };
}

/** Acts as an original client whose results, errors and answers contain the values, and posts them to `to`. */
async function follow(
  client: WireClient,
  session: { events_url: string; session_id: string },
  to: WireClient,
) {
  const results = [
    {
      result: {
        card: canary,
        [canary]: [canary],
        encoded: base64(`x ${canary} y`),
        account: 48_151_623,
        fine: 1,
      },
    },
    { result: `Error: no such card ${canary}` },
    { status: 'error', error: { code: canary, message: `bad ${canary}`, details: { canary } } },
  ];
  const events = [];
  const answers: unknown[] = [];
  for await (const event of client.events(session.events_url)) {
    events.push(event);
    if (event.name === 'tool_event') {
      const value = { tool_event_id: event.payload['id'], ...results.shift() };
      answers.push((await to.request('POST', `/sessions/${session.session_id}/resume`, { value })).body);
    }
    if (event.name !== 'interrupt_required') continue;
    const { checkpoint_id, data_key, input_type } = event.payload;
    const interrupt_data = { [data_key]: input_type === 'boolean' ? 'yes' : `take ${canary}` };
    const path = `/api/v1/checkpoints/${checkpoint_id}/resume`;
    answers.push((await to.request('POST', path, { interrupt_data })).status);
  }
  return { events, answers };
}

function expectNoValue(kept: unknown) {
  const text = JSON.stringify(kept, (key, value: unknown) =>
    key === 'content_base64' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
  expect(text).not.toContain(canary);
  expect(text).not.toContain('CANARY');
  expect(text).not.toContain('48151623');
  expect(text).not.toContain(base64(`x ${canary} y`));
}

describe('private values that an original client sends', () => {
  it('are stored and sent nowhere, even when files, metadata, results, errors and answers contain them', async () => {
    const { store, planner, logged, client } = await open();
    const session = await client.start(state);
    const { events, answers } = await follow(client, session, client);
    const record = await store.readRun(session.session_id);
    const journal = await store.readJournal(session.session_id, { afterSeq: 0, limit: 1000 });
    expectNoValue([record, journal, events, planner.contexts, logged, answers]);
    expect(events.at(-1)?.payload).toMatchObject({ status: 'completed' });
    const { request: stored } = Object(record);
    expect(stored.metadata.deep).toEqual([{ card: '{_{card}_}', account: '{_{account}_}' }]);
    expect(stored.tools[0].description).toBe('Charges {_{card}_}');
    const [, second] = planner.contexts;
    expect(JSON.stringify(second?.steps)).toContain('"fine":1');
    expect(JSON.stringify(second?.steps)).toContain('no such card {_{card}_}');
    expect(JSON.stringify(planner.contexts[2]?.steps)).toContain('take {_{card}_}');
    const [attachment] = stored.messages[0].additional_kwargs.attachments;
    expect(Buffer.from(attachment.content_base64, 'base64').toString()).toBe('the card {_{card}_}!');
  });

  it('are not in the text of a file that a model sees', async () => {
    const model = scriptedModel([{ text: ['ok'] }]);
    const { client } = await openOrchestrator({ planner: modelPlanner({ model }) });
    const messages = [{ type: 'human', content: 'go', attachments: [file] }];
    await client.run({ messages, private_data: { card: canary } });
    const prompt = model.doStreamCalls[0]?.prompt;
    expect(JSON.stringify(prompt)).toContain('the card {_{card}_}!');
    expectNoValue(prompt);
    expect(JSON.stringify(prompt)).not.toContain(file.content_base64);
  });

  it('do not make an answer that equals them invalid for its question', async () => {
    const city = {
      question_id: 'city',
      prompt: '?',
      input_type: 'choice' as const,
      choices: ['Hamburg', 'Kiel'],
    };
    const account = { question_id: 'account', prompt: '?', input_type: 'number' as const };
    const planner = scriptedPlanner([{ type: 'ask', questions: [city, account] }, finish('ok')]);
    const { orchestrator } = await openOrchestrator({
      planner,
      keys: [{ key: 'shared-key-0001', project: 'p' }],
    });
    const client = new WireClient(orchestrator.url, 'shared-key-0001');
    const private_data = { town: 'Hamburg', card: 48_151_623 };
    const session = await client.start(request('go', [], { private_data }));
    const given: Record<string, unknown> = { city: 'Hamburg', account: 48_151_623 };
    for await (const { name, payload } of client.events(session.events_url)) {
      if (name !== 'interrupt_required') continue;
      const key = String(payload['data_key']);
      const path = `/api/v1/checkpoints/${payload['checkpoint_id']}/resume`;
      const { status } = await client.request('POST', path, { interrupt_data: { [key]: given[key] } });
      expect(status).toBe(200);
    }
    expect(planner.contexts[1]?.steps).toMatchObject([
      { answers: { city: 'Hamburg', account: '{_{card}_}' } },
    ]);
  });

  it('make a process that does not know them withhold what is posted, and the run continues', async () => {
    const { store, planner, logged, client, shared } = await open();
    const second = await openOrchestrator({ ...shared, instance: 'second' });
    const session = await client.start(state);
    const other = new WireClient(second.orchestrator.url, 'shared-key-0001');
    const { events, answers } = await follow(client, session, other);
    const record = await store.readRun(session.session_id);
    const journal = await store.readJournal(session.session_id, { afterSeq: 0, limit: 1000 });
    expectNoValue([record, journal, events, planner.contexts, logged, answers]);
    expect(answers).toEqual([{ accepted: true }, { accepted: true }, { accepted: true }, 200, 200]);
    expect(events.at(-1)?.payload).toMatchObject({ status: 'completed' });
    const outcomes = journal.filter(({ kind }) => kind === 'outcome').map(({ data }) => Object(data).outcome);
    expect(outcomes.map(({ error }) => error.code)).toEqual(Array(3).fill('PRIVATE_VALUES_GONE'));
    const given = journal.filter(({ kind }) => kind === 'answer').map(({ data }) => Object(data).value);
    expect(given).toEqual([null, true]);
  });

  it.each(['the same', 'another'])(
    'are removed from a cancel reason that %s process receives',
    async (which) => {
      const { store, client, shared } = await open();
      const second = await openOrchestrator({ ...shared, instance: 'second' });
      const { session_id } = await client.start(state);
      const to = which === 'the same' ? client : new WireClient(second.orchestrator.url, 'shared-key-0001');
      await to.request('DELETE', `/sessions/${session_id}`, { reason: `no more ${canary}` });
      const journal = await store.readJournal(session_id, { afterSeq: 0, limit: 1000 });
      expect(journal.filter(({ kind }) => kind === 'cancel')).toHaveLength(1);
      expectNoValue(journal);
    },
  );

  it('are not stored in a thread id, and the thread continues under the old and the new id', async () => {
    const { store, planner, client } = await open();
    const turn = async (thread_id: string) => {
      const session = await client.start(state, { thread_id });
      await follow(client, session, client);
      expectNoValue(await store.readRun(session.session_id));
      expectNoValue(await store.readJournal(session.session_id, { afterSeq: 0, limit: 1000 }));
      return session;
    };
    const { thread_id } = Object(await turn(`of ${canary}`));
    expect(thread_id).toMatch(/^thread_[0-9a-f]{64}$/);
    expect(await turn(`of ${canary}`)).toMatchObject({ thread_id });
    expect(await turn(thread_id)).toMatchObject({ thread_id });
    const roles = planner.contexts.at(-1)?.messages.map(({ role }) => role);
    expect(roles?.join(' ')).toBe('user assistant user assistant user');
    expect(await turn('of another')).toMatchObject({ thread_id: 'of another' });
  });

  it('stay in results when only their names are sent', async () => {
    const { store, client } = await open();
    const names = request('go', [toolSpec('b'), toolSpec('c', { card: { type: 'string' } })], {
      private_data_schema: [{ data_key: 'card' }],
    });
    const session = await client.start(names);
    await follow(client, session, client);
    const journal = await store.readJournal(session.session_id, { afterSeq: 0, limit: 1000 });
    const [first] = journal.filter(({ kind }) => kind === 'outcome');
    expect(Object(first?.data).outcome.result).toMatchObject({ card: canary, account: 48_151_623 });
  });
});
