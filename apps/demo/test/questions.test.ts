import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { questions } from './questions.js';
import { field, post, readUntil } from './read-session.js';
import { startDemo } from './start-demo.js';

let demo: Awaited<ReturnType<typeof startDemo>>;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

async function ask(message: string, mode: 'agent' | 'swarm' = 'agent') {
  const { status, body } = await post(`${demo.url}/api/runs`, { message, mode });
  expect(status).toBe(202);
  const id = String(body['session_id']);
  return { id, stream: `${demo.url}/svc/events/${id}` };
}

async function answerTo(message: string): Promise<string> {
  const { stream } = await ask(message);
  const events = await readUntil(stream, (event) => event.type === 'final' || event.type === 'error');
  expect(events.at(-1)?.type).toBe('final');
  return String(field(events.at(-1), 'response'));
}

const inOrder = (text: string, parts: readonly string[]) =>
  expect(parts.map((part) => text.indexOf(part))).toEqual(
    parts.map((part) => text.indexOf(part)).toSorted((a, b) => a - b),
  );

describe('the six questions of the README and their rewordings', () => {
  it.each(questions.lines)('%s', async (message) => {
    expect(await answerTo(message)).toMatch(/\b42\b/);
  });
  it.each(questions.largest)('%s', async (message) => {
    const answer = await answerTo(message);
    const paths = ['src/largest.ts', 'src/second.ts', 'src/third.ts', 'src/fourth.ts', 'src/fifth.ts'];
    for (const path of paths) expect(answer).toContain(path);
    inOrder(answer, paths);
    expect(answer).toContain('9000');
    expect(answer).not.toContain('src/sixth.ts');
  });
  it.each(questions.changed)('%s', async (message) => {
    const answer = await answerTo(message);
    expect(answer).toMatch(/src\/sixth\.ts\D+4\b/);
    inOrder(answer, ['src/sixth.ts', 'src/largest.ts']);
    expect(answer).toMatch(/commits/i);
  });
  it.each(questions.commits)('%s', async (message) => {
    const answer = await answerTo(message);
    for (const subject of ['write the guide', 'repair the counter', 'teach it to count'])
      expect(answer).toContain(subject);
    expect(answer).not.toContain('begin the project');
    expect(answer).toContain('Ada');
  });
  it.each(questions.search)('%s', async (message) => {
    const answer = await answerTo(message);
    expect(answer).toContain('docs/guide.md');
    expect(answer).toContain('README.md');
    expect(answer).not.toContain('src/sixth.ts');
  });
  it.each(questions.report)('%s', async (message) => {
    const { id, stream } = await ask(message);
    const asked = await readUntil(
      stream,
      (event) => event.type === 'interrupt_required' || event.type === 'final',
    );
    const interruptId = field(asked.at(-1), 'interrupt', 'id');
    expect(asked.at(-1)?.type).toBe('interrupt_required');
    expect(
      (await post(`${demo.url}/api/runs/${id}/answers`, { interrupt_id: interruptId, value: true })).status,
    ).toBe(202);
    const events = await readUntil(stream, (event) => event.type === 'final');
    expect(String(field(events.at(-1), 'response'))).toContain('weekly-numbers.md');
    const report = await readFile(join(demo.root, 'reports/weekly-numbers.md'), 'utf8');
    expect(await readFile(join(demo.root, 'reports/audit.log'), 'utf8')).toContain(' weekly-numbers.md\n');
    expect(report).toMatch(/# Weekly numbers[\s\S]*src\/largest\.ts[\s\S]*HMAC-SHA256 [0-9a-f]{64}/);
  });
});

it('writes nothing when the user says no', async () => {
  const { id, stream } = await ask('Write a signed report titled "Refused"');
  const asked = await readUntil(stream, (event) => event.type === 'interrupt_required');
  await post(`${demo.url}/api/runs/${id}/answers`, {
    interrupt_id: field(asked.at(-1), 'interrupt', 'id'),
    value: false,
  });
  await readUntil(stream, (event) => event.type === 'final');
  await expect(readFile(join(demo.root, 'reports/refused.md'))).rejects.toThrow('ENOENT');
});

it('refuses an answer with 409 when its question is not open, and with 400 when it is invalid', async () => {
  const { id, stream } = await ask('Write a signed report titled "Answers"');
  const asked = await readUntil(stream, (event) => event.type === 'interrupt_required');
  const answer = (interruptId: unknown, value: unknown) =>
    post(`${demo.url}/api/runs/${id}/answers`, { interrupt_id: interruptId, value });
  const interruptId = field(asked.at(-1), 'interrupt', 'id');
  expect(await answer('another', true)).toMatchObject({ status: 409, body: { code: 'INTERRUPT_NOT_OPEN' } });
  expect(await answer(interruptId, 'perhaps')).toMatchObject({
    status: 400,
    body: { code: 'INTERRUPT_ANSWER_INVALID' },
  });
  expect((await answer(interruptId, false)).status).toBe(202);
  await readUntil(stream, (event) => event.type === 'final');
  expect(await answer(interruptId, true)).toMatchObject({ status: 409 });
});

it('a swarm of two agents writes a report', async () => {
  const { id, stream } = await ask('Analyse the folder and save a report titled "Team report"', 'swarm');
  const asked = await readUntil(
    stream,
    (event) => event.type === 'interrupt_required' || event.type === 'final',
  );
  expect(asked.at(-1)?.type).toBe('interrupt_required');
  await post(`${demo.url}/api/runs/${id}/answers`, {
    interrupt_id: field(asked.at(-1), 'interrupt', 'id'),
    value: true,
  });
  const events = await readUntil(stream, (event) => event.type === 'final');
  const agents = new Set(events.flatMap((event) => field(event, 'agent_name') ?? []));
  expect(agents).toEqual(new Set(['analyst', 'writer']));
  expect(await readFile(join(demo.root, 'reports/team-report.md'), 'utf8')).toContain('src/largest.ts');
});

it('a second question starts a new turn in the session, runs alone, and can be cancelled', async () => {
  const { id, stream } = await ask('Show the last 3 commits');
  await readUntil(stream, (event) => event.type === 'final');
  expect(
    (
      await post(`${demo.url}/api/runs`, {
        message: 'Write a signed report titled "Stopped"',
        session_id: id,
      })
    ).status,
  ).toBe(202);
  await readUntil(stream, (event) => event.type === 'interrupt_required');
  expect((await post(`${demo.url}/api/runs`, { message: 'again', session_id: id })).body['code']).toBe(
    'RUN_IN_PROGRESS',
  );
  expect((await post(`${demo.url}/api/runs/${id}/cancel`, {})).status).toBe(202);
  const { sessions } = (await (await fetch(`${demo.url}/api/sessions`)).json()) as {
    sessions: { session_id: string; first_event_id: string }[];
  };
  const first = sessions.find((session) => session.session_id === id)?.first_event_id;
  const all = await readUntil(
    stream,
    (event) => field(event, 'status') === 'cancelled' && event.type === 'final',
    first,
  );
  expect(all.filter((event) => event.type === 'final')).toHaveLength(2);
  expect(all.filter((event) => event.type === 'demo_question')).toHaveLength(2);
});
