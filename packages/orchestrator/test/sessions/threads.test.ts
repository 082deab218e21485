import { expect, it } from 'vitest';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

const answers = scriptedPlanner((context) => {
  const asked = context.messages.at(-1)?.content;
  if (asked === 'fail') return [() => Promise.reject(new Error('no answer'))];
  if (asked === 'look') return [{ ...call(['t-b']), text: 'Let me look.' }, finish('Found it.')];
  return [finish(`answer to ${asked}`)];
});

async function turn(
  bench: SessionBench,
  text: string,
  run: object = { threadId: 't' },
  messages: object[] = [],
) {
  const id = await bench.start(
    { ...request(text), messages: [...messages, { type: 'human', content: text }] },
    run,
  );
  await bench.final(id);
  const context = answers.contexts.at(-1);
  return {
    seen: context?.messages.map(({ role, content }) => `${role}: ${content}`),
    now: context?.messages.slice(context.turn_start).map(({ content }) => content),
  };
}

it('remembers the turns of a thread, after the system prompt and before this turn', async () => {
  const bench = new SessionBench({ planner: answers });
  await turn(bench, 'one');
  const { seen, now } = await turn(bench, 'two', { threadId: 't' }, [
    { type: 'system', content: 'be brief' },
  ]);
  expect(seen).toEqual(['system: be brief', 'user: one', 'assistant: answer to one', 'user: two']);
  expect(now).toEqual(['two']);
});

it.each([
  ['another thread', { threadId: 'u' }],
  ['another project', { threadId: 't', projectId: 'q' }],
  ['no thread', {}],
])('keeps %s apart', async (_, run) => {
  const bench = new SessionBench({ planner: answers });
  await turn(bench, 'one');
  expect((await turn(bench, 'two', run)).seen).toEqual(['user: two']);
});

it('keeps only the newest turns, and forgets them when their time is over', async () => {
  const bench = new SessionBench({ planner: answers });
  for (const text of ['1', '2', '3', '4']) await turn(bench, text);
  expect((await turn(bench, '5')).seen).toEqual([
    ...['2', '3', '4'].flatMap((text) => [`user: ${text}`, `assistant: answer to ${text}`]),
    'user: 5',
  ]);
  bench.clock.advance(60_000);
  expect((await turn(bench, '6')).seen).toEqual(['user: 6']);
});

it('keeps of long turns only the newest that a model can read, each message up to a length', async () => {
  const bench = new SessionBench({ planner: answers });
  const said = ['a', 'b', 'c'].map((letter) => letter.repeat(40_000));
  for (const text of said) await turn(bench, text);
  expect((await turn(bench, 'now')).seen).toEqual([
    ...said.slice(1).flatMap((text) => [`user: ${text}`, `assistant: answer to ${text}`]),
    'user: now',
  ]);
  const long = { threadId: 'long' };
  await turn(bench, 'd'.repeat(1_000_000), long);
  const { seen = [] } = await turn(bench, 'now', long);
  expect(seen.map((text) => text.slice(0, 20))).toEqual([
    'user: dddddddddddddd',
    'assistant: answer to',
    'user: now',
  ]);
  expect(seen.join('').length).toBeLessThan(130_000);
});

it('keeps of a turn of many messages the newest', async () => {
  const bench = new SessionBench({ planner: answers });
  const many = Array.from({ length: 20_000 }, (_, index) => ({ type: 'human', content: `part ${index}` }));
  await turn(bench, 'now', { threadId: 't' }, many);
  const [document] = await bench.store.listDocuments({
    projectId: 'p',
    collection: 'thread:t',
    nowMs: bench.clock.nowMs(),
    limit: 1,
  });
  expect(JSON.stringify(document?.value).length).toBeLessThan(500_000);
  const { seen = [] } = await turn(bench, 'and now');
  expect(seen.slice(-4)).toEqual([
    'user: part 19999',
    'user: now',
    'assistant: answer to now',
    'user: and now',
  ]);
});

it('leaves the history to a request that brings answers along', async () => {
  const bench = new SessionBench({ planner: answers });
  await turn(bench, 'one');
  const own = [
    { type: 'human', content: 'mine' },
    { type: 'ai', content: 'yours' },
  ];
  const { seen, now } = await turn(bench, 'two', { threadId: 't' }, own);
  expect(seen).toEqual(['user: mine', 'assistant: yours', 'user: two']);
  expect(now).toEqual(['two']);
});

it('remembers no turn of a run that failed', async () => {
  const bench = new SessionBench({ planner: answers });
  await turn(bench, 'fail');
  expect((await turn(bench, 'two')).seen).toEqual(['user: two']);
});

it('remembers as the answer what was said last', async () => {
  const bench = new SessionBench({ planner: answers });
  const id = await bench.start(request('look', [toolSpec('b')]), { threadId: 't' });
  await bench.post(id, (await bench.call(id, 'b')).id, 1);
  await bench.final(id);
  expect((await turn(bench, 'two')).seen).toEqual(['user: look', 'assistant: Found it.', 'user: two']);
});
