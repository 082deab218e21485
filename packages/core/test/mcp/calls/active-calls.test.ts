import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ActiveCalls } from '../../../src/mcp/calls/active-calls.js';
import { CallTimer } from '../../../src/mcp/calls/call-timer.js';
import { Secrets } from '../../../src/mcp/credentials/secrets.js';
import { getLogger } from '../../../src/logging/logger.js';
import { systemRuntime } from '../../../src/runtime.js';
import type { ToolQuestion } from '../../../src/tools/reports/tool-reports.js';
import { catchLog, createContext } from '../mcp-doubles.js';

const form = {
  mode: 'form' as const,
  message: 'Sure?',
  requestedSchema: { type: 'object' as const, properties: {} },
};

const { signal } = new AbortController();

function start() {
  const secrets = new Secrets();
  secrets.add({ KEY: 'sk-live-4711' });
  let now = 0;
  const runtime = { ...systemRuntime, monotonicMs: () => now };
  const calls = new ActiveCalls({ server: 'crm', secrets, logger: getLogger('test'), runtime });
  const add = (runId: string, answer?: (question: ToolQuestion) => unknown) => {
    const made = createContext({ runId, ...(answer ? { answer } : {}) });
    const ends: string[] = [];
    const timer = new CallTimer({ silenceMs: 60_000, totalMs: 180_000 }, (end) => void ends.push(end));
    const active = { context: made.context, timer };
    const remove = calls.add(active);
    return { ...made, active, ends, end: () => (remove(), timer.end()) };
  };
  return { calls, add, pass: (ms: number) => (now += ms) };
}

describe('notifications of a server during calls', () => {
  it('reach each run with running calls once, without confidential values', () => {
    const { calls, add } = start();
    const waiting = [add('run-1'), add('run-1'), add('run-2')];
    calls.showLine({ level: 'info', data: { key: 'sk-live-4711' } });
    expect(waiting.map(({ lines }) => lines.length).toSorted()).toEqual([0, 1, 1]);
    expect(waiting.flatMap(({ lines }) => lines)[0]).toEqual({
      level: 'info',
      message: '{"key":"{_{KEY}_}"}',
      source: 'crm',
    });
    for (const { end } of waiting) end();
  });

  it('restart the limit for silence and report progress, without confidential values', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { calls, add } = start();
    const { active, progress, ends, end } = add('run-1');
    vi.advanceTimersByTime(59_999);
    calls.showProgress(active, { progress: 1, total: 2, message: 'with sk-live-4711' });
    vi.advanceTimersByTime(59_999);
    expect([progress, ends]).toEqual([[{ progress: 1, total: 2, message: 'with {_{KEY}_}' }], []]);
    end();
  });

  it('are logged, cut to 4,000 characters, if no call is running', () => {
    const log = catchLog();
    start().calls.showLine({ level: 'info', data: 'alone'.repeat(1_000) });
    expect(log).toMatchObject([{ fields: { line: 'alone'.repeat(800) } }]);
  });

  it('are shown up to a rate, and not after the call has ended', () => {
    const { calls, add, pass } = start();
    const { active, progress, lines, end } = add('run-1');
    for (let at = 0; at < 1_000; at += 1) {
      calls.showProgress(active, { progress: at });
      calls.showLine({ level: 'info', data: 'x' });
    }
    expect([progress.length, lines.length]).toEqual([20, 50]);
    pass(1_000);
    calls.showProgress(active, { progress: 2_000 });
    expect(progress.at(-1)).toEqual({ progress: 2_000 });
    end();
    pass(1_000);
    calls.showProgress(active, { progress: 3_000 });
    expect(progress.at(-1)).toEqual({ progress: 2_000 });
  });
});

describe('a question of a server', () => {
  it('is asked in the run with the running call', async () => {
    const { calls, add } = start();
    const { questions, end } = add('run-1', () => true);
    expect(await calls.ask(form, signal)).toEqual({ action: 'accept', content: {} });
    expect(questions).toHaveLength(1);
    end();
  });

  it.each([
    ['no call is running', []],
    ['calls of different runs are running', ['run-1', 'run-2']],
  ])('is refused when %s', async (_when, runs) => {
    catchLog();
    const { calls, add } = start();
    const waiting = runs.map((run) => add(run, () => true));
    expect(await calls.ask(form, signal)).toEqual({ action: 'cancel' });
    expect(waiting.flatMap(({ questions }) => questions)).toEqual([]);
    for (const { end } of waiting) end();
  });

  it('is refused when four others are open', async () => {
    catchLog();
    const { calls, add } = start();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { end } = add('run-1', () => promise);
    const open = Array.from({ length: 4 }, async () => calls.ask(form, signal));
    expect(await calls.ask(form, signal)).toEqual({ action: 'cancel' });
    resolve(true);
    expect(await Promise.all(open)).toEqual(open.map(() => ({ action: 'accept', content: {} })));
    expect(await calls.ask(form, signal)).toEqual({ action: 'accept', content: {} });
    end();
  });

  it('in a call is asked, however many are open in others', async () => {
    const { calls, add } = start();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = Array.from({ length: 10 }, (_, at) => add(`run-${at}`, () => promise));
    const open = waiting.map(async ({ active }) => calls.askFor(active, form, signal));
    resolve(true);
    expect(await Promise.all(open)).toEqual(open.map(() => ({ action: 'accept', content: {} })));
    for (const { end } of waiting) end();
  });

  it('is refused with one log line per second, however many follow', async () => {
    const log = catchLog();
    const { calls, pass } = start();
    for (let at = 0; at < 100; at += 1) await calls.ask(form, signal);
    expect(log).toHaveLength(1);
    pass(1_000);
    await calls.ask(form, signal);
    expect(log).toHaveLength(2);
  });

  it('pauses the time limits of all running calls', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { calls, add } = start();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = [add('run-1', () => promise), add('run-1')];
    const asking = calls.ask(form, signal);
    vi.advanceTimersByTime(1_000_000);
    resolve(true);
    expect(await asking).toEqual({ action: 'accept', content: {} });
    expect(waiting.map(({ ends }) => ends)).toEqual([[], []]);
    for (const { end } of waiting) end();
  });

  it('is cancelled when the person does not answer', async () => {
    catchLog();
    const { calls, add } = start();
    const { end } = add('run-1', () => Promise.reject(new Error('expired')));
    expect(await calls.ask(form, signal)).toEqual({ action: 'cancel' });
    end();
  });
});
