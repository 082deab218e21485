import { DatabaseSync } from 'node:sqlite';
import { registerTelemetry } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorFacts } from '../../src/logger.js';
import { modelPlanner } from '../../src/planning/model/model-planner.js';
import { createSystemTools } from '../../src/system-tools/create-system-tools.js';
import { PlannerError } from '../../src/planning/planner-error.js';
import { contextOf, readTraceParent } from '../../src/trace-parent.js';
import { scriptedModel } from '../planning/model/scripted-model.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { recordSpans, type RecordedSpan } from '../support/recording-tracer.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

const usage = { input_tokens: 7, output_tokens: 3 };
const planner = () =>
  scriptedPlanner([call(['t-pay', { note: 'canary-args' }]), { ...finish('canary-answer'), usage }]);
const pay = request('canary-question', [toolSpec('pay', { note: { type: 'string' } })]);
const traceParent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

function recordingLogger() {
  const lines: [string, object, string][] = [];
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push([level, fields, message]);
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

const raise = () => {
  throw new Error('canary-logger');
};

async function runOnce(bench: SessionBench, run: object = {}): Promise<string> {
  const id = await bench.start(pay, run);
  await bench.post(id, (await bench.call(id, 'pay')).id, 'canary-result');
  await bench.final(id);
  await expect.poll(() => bench.manager.activeCount('p')).toBe(0);
  return id;
}

describe('traces', () => {
  it('show the run inside the caller’s trace, with its turns and calls inside the run', async () => {
    const spans = recordSpans();
    await runOnce(new SessionBench({ planner: planner() }), { traceParent, threadId: 't-1' });
    const run = spans.find(({ name }) => name === 'invoke_agent');
    expect(run).toMatchObject({
      parent: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) },
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': 't-1',
        'svc.session.status': 'completed',
      },
      failed: false,
    });
    const inside = spans.filter((span) => span !== run);
    expect(inside.map(({ name }) => name)).toEqual(['plan', 'execute_tool pay', 'plan']);
    expect(inside.every(({ parent }) => parent?.spanId === run?.spanId)).toBe(true);
    expect(inside[1]?.attributes).toMatchObject({
      'gen_ai.tool.name': 'pay',
      'gen_ai.tool.call.id': expect.any(String),
    });
    expect(inside[2]?.attributes).toMatchObject({
      'svc.plan.outcome': 'finish',
      'gen_ai.usage.input_tokens': 7,
    });
    expect(spans.every(({ ended }) => ended)).toBe(true);
    expect(JSON.stringify(spans)).not.toContain('canary');
  });

  it('show each model call inside its turn, or that of compose inside the run, without content', async () => {
    const spans = recordSpans();
    const said: unknown[] = [];
    registerTelemetry({ onStart: (event) => void said.push(event), onEnd: (event) => void said.push(event) });
    const model = scriptedModel([
      { calls: [{ name: 'compose', args: { target: 'pay.note', instructions: 'canary-args' } }] },
      { text: ['canary-text'] },
      { text: ['canary-answer'], finish: 'length' },
    ]);
    const note = { arg_policies: { note: { compose_artifact: { mode: 'allow' } } } };
    const bench = new SessionBench({
      planner: modelPlanner({ model }),
      toolbox: createSystemTools(modelPlanner({ model }), {}),
    });
    const tool = toolSpec('pay', { note: { type: 'string' } }, { metadata: note });
    const id = await bench.start(request('canary-question', [tool]), { traceParent });
    expect(await bench.final(id)).toMatchObject({ error_info: { code: 'PLANNER_LENGTH' } });
    const parentOf = ({ parent }: RecordedSpan) =>
      spans.find(({ spanId }) => spanId === parent?.spanId)?.name;
    const chats = spans.filter(({ name }) => name === 'chat mock-model-id');
    expect(chats.map(parentOf)).toEqual(['plan', 'invoke_agent', 'plan']);
    expect(chats[1]).toMatchObject({
      traceId: 'a'.repeat(32),
      ended: true,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'mock-provider',
        'gen_ai.request.model': 'mock-model-id',
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.response.finish_reasons': ['stop'],
      },
    });
    expect(said.length).toBeGreaterThan(0);
    expect(JSON.stringify([spans, said])).not.toContain('canary');
  });

  it('mark a failed run and the turn that failed', async () => {
    const spans = recordSpans();
    const bench = new SessionBench({ planner: scriptedPlanner([() => Promise.reject(new Error('canary'))]) });
    await bench.final(await bench.start(request('go')));
    await expect
      .poll(() => spans.filter(({ failed }) => failed).map(({ name }) => name))
      .toEqual(['invoke_agent', 'plan']);
    expect(spans.find(({ failed }) => failed)?.attributes).toMatchObject({ 'error.type': 'PLANNER_FAILED' });
  });

  it('mark no failure when a turn is aborted because its run was cancelled', async () => {
    const spans = recordSpans();
    const asked = Promise.withResolvers<void>();
    const thinking = scriptedPlanner([
      (_context, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          asked.resolve();
        }),
    ]);
    const logger = recordingLogger();
    const bench = new SessionBench({ planner: thinking, logger });
    const id = await bench.start(request('go'));
    await asked.promise;
    await bench.cancel(id);
    await bench.final(id);
    await expect.poll(() => spans.every(({ ended }) => ended)).toBe(true);
    expect(spans.find(({ name }) => name === 'invoke_agent')).toMatchObject({
      attributes: { 'svc.session.status': 'cancelled' },
      failed: false,
    });
    expect(spans.find(({ name }) => name === 'plan')).toMatchObject({
      attributes: { 'svc.plan.outcome': 'aborted' },
      failed: false,
    });
    expect(logger.lines.map(([, , message]) => message)).toEqual(['session started', 'session ended']);
  });

  it('end a run that is left to other processes with the status "left"', async () => {
    const spans = recordSpans();
    const bench = new SessionBench({ planner: planner() });
    await bench.call(await bench.start(pay), 'pay');
    await bench.manager.close();
    expect(spans.find(({ name }) => name === 'invoke_agent')).toMatchObject({
      attributes: { 'svc.session.status': 'left' },
      ended: true,
      failed: false,
    });
  });

  it('continue the caller’s trace when another process takes the run over', async () => {
    const one = new SessionBench({ planner: planner(), isMortal: true });
    await one.call(await one.start(pay, { traceParent }), 'pay');
    await one.manager.close();
    const spans = recordSpans();
    const two = new SessionBench({ planner: planner(), store: one.store, clock: one.clock });
    await two.manager.open();
    expect(spans.find(({ name }) => name === 'invoke_agent')?.parent).toEqual({
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
    });
  });

  it.each([
    '',
    'abc',
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}`,
    `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    7,
  ])('start anew for the invalid traceparent header "%s"', (header) => {
    expect(readTraceParent(header)).toBeUndefined();
    expect(contextOf(readTraceParent(header))).toBe(contextOf(undefined));
  });
});

describe('logs', () => {
  it('describe a session by ids, codes and durations, without content', async () => {
    const logger = recordingLogger();
    const id = await runOnce(new SessionBench({ planner: planner(), logger }));
    const ids = { session_id: id, project_id: 'p', key_id: 'k' };
    expect(logger.lines).toEqual([
      ['info', { ...ids, origin: 'start' }, 'session started'],
      ['info', { ...ids, status: 'completed', elapsed_ms: 0 }, 'session ended'],
    ]);
  });

  it('describe a planner failure by code, not by its message, which may quote the model or its service', async () => {
    const logger = recordingLogger();
    const failing = scriptedPlanner([
      () => {
        throw new PlannerError('The service refused the request: "canary-question" is no question.', {
          code: 'PLANNER_REJECTED',
          details: { status_code: 400, problems: ['canary-answer'] },
        });
      },
    ]);
    const bench = new SessionBench({ planner: failing, logger });
    const id = await bench.start(pay);
    expect(await bench.final(id)).toMatchObject({ error_info: { code: 'PLANNER_REJECTED' } });
    const error = { name: 'PlannerError', code: 'PLANNER_REJECTED', status_code: 400 };
    const ids = { session_id: id, project_id: 'p', key_id: 'k' };
    expect(logger.lines).toContainEqual(['warn', { ...ids, error }, 'planner failed']);
    expect(JSON.stringify(logger.lines)).not.toContain('canary');
  });

  it.each([
    ['throws', () => raise()],
    ['rejects', async () => raise()],
  ])(
    'do not affect a run: with a logger that %s it completes, and the process is warned once',
    async (_, fail) => {
      const warnings: (Error & { code?: string; detail?: string })[] = [];
      const listen = (warning: Error) => void warnings.push(warning);
      process.on('warning', listen);
      onTestFinished(() => void process.off('warning', listen));
      const { client } = await openOrchestrator({
        planner: planner(),
        logger: { info: fail, warn: fail, error: fail },
      });
      const { final } = await client.run(pay, { pay: () => 1 });
      expect(final).toMatchObject({ status: 'completed' });
      await expect.poll(() => warnings.filter(({ code }) => code === 'LOGGER_FAILED')).toHaveLength(1);
      expect(warnings.map(({ detail }) => detail).join('')).not.toContain('canary');
    },
  );

  it('contain the name and stack of a foreign error, but not its message', () => {
    const facts = JSON.stringify(errorFacts(new SyntaxError('Unexpected token in "canary"')));
    expect(facts).toContain('SyntaxError');
    expect(facts).toContain('at ');
    expect(facts).not.toContain('canary');
  });

  it('contain SQLite’s fixed reason for an error, but nothing of the statement', () => {
    const database = new DatabaseSync(':memory:');
    onTestFinished(() => database.close());
    database.exec('PRAGMA max_page_count = 2');
    const errorOf = (sql: string) => {
      try {
        database.exec(sql);
      } catch (error) {
        return errorFacts(error);
      }
    };
    expect(errorOf('CREATE TABLE a (b); CREATE TABLE c (d)')).toMatchObject({
      code: 'ERR_SQLITE_ERROR',
      reason: 'database or disk is full',
    });
    expect(JSON.stringify(errorOf("SELECT 'canary"))).not.toContain('canary');
  });
});
