import { expect, it } from 'vitest';
import { request, toolSpec } from '../../support/requests.js';
import { call, finish, scriptedPlanner } from '../../support/scripted-planner.js';
import { SessionBench } from '../../support/session-bench.js';

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

it('places the turns of a thread after the system prompt and before the current turn', async () => {
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
])('does not show the turns of a thread to a run in %s', async (_, run) => {
  const bench = new SessionBench({ planner: answers });
  await turn(bench, 'one');
  expect((await turn(bench, 'two', run)).seen).toEqual(['user: two']);
});

it('keeps only the newest turns, and forgets them after the retention time', async () => {
  const bench = new SessionBench({ planner: answers });
  for (const text of ['1', '2', '3', '4']) await turn(bench, text);
  expect((await turn(bench, '5')).seen).toEqual([
    ...['2', '3', '4'].flatMap((text) => [`user: ${text}`, `assistant: answer to ${text}`]),
    'user: 5',
  ]);
  bench.clock.advance(60_000);
  expect((await turn(bench, '6')).seen).toEqual(['user: 6']);
});

it('keeps only as many long turns as a model can read, and truncates very long messages', async () => {
  const bench = new SessionBench({ planner: answers });
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(40_000));
  for (const text of texts) await turn(bench, text);
  expect((await turn(bench, 'now')).seen).toEqual([
    ...texts.slice(1).flatMap((text) => [`user: ${text}`, `assistant: answer to ${text}`]),
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

it('keeps only the newest messages of a turn that has very many', async () => {
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

it('ignores the stored turns when the request itself contains answers', async () => {
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

it('does not remember the turn of a failed run', async () => {
  const bench = new SessionBench({ planner: answers });
  await turn(bench, 'fail');
  expect((await turn(bench, 'two')).seen).toEqual(['user: two']);
});

it('remembers the last text of a run as its answer', async () => {
  const bench = new SessionBench({ planner: answers });
  const id = await bench.start(request('look', [toolSpec('b')]), { threadId: 't' });
  await bench.post(id, (await bench.call(id, 'b')).id, 1);
  await bench.final(id);
  expect((await turn(bench, 'two')).seen).toEqual(['user: look', 'assistant: Found it.', 'user: two']);
});

it('refuses a run in a thread with a malformed turn, and names the turn', async () => {
  const bench = new SessionBench({ planner: answers });
  const place = { projectId: 'p', collection: 'thread:t', id: 'turn' };
  await bench.store.putDocument({ ...place, value: { messages: '4711' }, nowMs: 0 });
  await expect(turn(bench, 'one')).rejects.toMatchObject({
    code: 'DOCUMENT_UNREADABLE',
    details: { collection: 'thread:t', id: 'turn' },
  });
  expect((await turn(bench, 'one', { threadId: 'u' })).seen).toEqual(['user: one']);
});
