import { describe, expect, it } from 'vitest';
import type { SystemTool } from '../../src/system-tools/system-tool.js';
import { SystemToolError } from '../../src/system-tools/system-tool-error.js';
import { SystemToolbox } from '../../src/system-tools/system-toolbox.js';
import { reevaluateTool } from '../../src/system-tools/reevaluate.js';
import { thinkTool } from '../../src/system-tools/think.js';
import {
  callStep,
  constraints,
  failedCall,
  okCall,
  planContext,
  toolsOf,
} from '../planning/plan-fixtures.js';

const none = { type: 'object', properties: {}, required: [] } as const;
const tool = (name: string, run: SystemTool['run'] = async () => null): SystemTool => ({
  name,
  description: '',
  parameters: none,
  run,
});
const io = (signal = new AbortController().signal, context = planContext()) => {
  const chunks: string[] = [];
  return { chunks, signal, context, onChunk: (text: string) => chunks.push(text), onUsage: () => undefined };
};
const call = (tool_id: string, args = {}) => ({ tool_id, args });

describe('SystemToolbox', () => {
  const useless: SystemTool = { ...tool('useless'), isUseful: () => false };
  const toolbox = new SystemToolbox([tool('think'), tool('compose'), useless]);
  const offered = (allowed_tools?: string[]) =>
    toolbox.offer({ allowed_tools }, planContext()).map((each) => each.name);

  it('offers what a request allows: all, some, or nothing', () => {
    expect(offered()).toEqual(['think', 'compose']);
    expect(offered(['think', 'repl'])).toEqual(['think']);
    expect(offered([])).toEqual([]);
    expect(toolbox.offer(undefined, planContext())).toHaveLength(2);
  });

  it('does not offer a system tool whose name or id a declared tool has', () => {
    const tools = toolsOf({ name: 'think' }).map((each) => ({ ...each, tool_id: 't-1' }));
    const ids = toolsOf({ name: 'other' }).map((each) => ({ ...each, tool_id: 'compose' }));
    const names = (context = planContext()) => toolbox.offer(undefined, context).map(({ name }) => name);
    expect(names(planContext({ tools }))).toEqual(['compose']);
    expect(names(planContext({ tools: ids }))).toEqual(['think']);
  });

  it('accepts the tool names of the original service', () => {
    expect(offered(['compose_artifact'])).toEqual(['compose']);
  });

  it('turns every result and every error into an outcome', async () => {
    const failing = (error: Error) =>
      tool('x', () => {
        throw error;
      });
    const run = (given: SystemTool) => new SystemToolbox([given]).run(call('x'), io());
    await expect(run(tool('x', async () => 7))).resolves.toEqual({ status: 'ok', result: 7 });
    await expect(
      run(failing(new SystemToolError('Too slow.', { code: 'REPL_TIMEOUT', retryable: true }))),
    ).resolves.toEqual({
      status: 'error',
      error: { code: 'REPL_TIMEOUT', message: 'Too slow.', retryable: true },
    });
    await expect(run(failing(new Error('secret in /etc')))).resolves.toEqual({
      status: 'error',
      error: { code: 'SYSTEM_TOOL_FAILED', message: 'x failed.', retryable: false },
    });
    await expect(toolbox.run(call('nope'), io())).resolves.toMatchObject({
      error: { code: 'SYSTEM_TOOL_UNKNOWN' },
    });
  });

  it('rejects with the abort reason when the run is cancelled', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const slow = tool(
      'slow',
      (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('anything')));
        }),
    );
    const running = new SystemToolbox([slow]).run(call('slow'), io(controller.signal));
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
  });
});

describe('think', () => {
  it('streams the thought and returns only a confirmation', async () => {
    const where = io();
    await expect(thinkTool.run({ thought: 'First load, then sum.' }, where)).resolves.toEqual({
      noted: true,
    });
    expect(where.chunks).toEqual(['First load, then sum.']);
  });
});

describe('reevaluate', () => {
  it('reports what was done, what failed and what is still required', async () => {
    const context = planContext({
      tools: toolsOf({ name: 'load' }, { name: 'sum', final_tool: true }),
      constraints: constraints({ force_final_tool: true, max_cycles: 5 }),
      steps: [callStep(okCall('load'), failedCall('sum'))],
    });
    await expect(reevaluateTool.run({}, io(undefined, context))).resolves.toEqual({
      done: ['load'],
      failed: [{ tool: 'sum', why: 'It broke.' }],
      still_required: ['sum'],
      may_be_called: ['load', 'sum'],
      planning_rounds_left: 4,
    });
  });

  it('is offered only when the constraints allow a reevaluate loop', () => {
    const tools = toolsOf({ name: 'a' }, { name: 'b' });
    expect(reevaluateTool.isUseful?.(planContext({ tools }))).toBe(true);
    expect(
      reevaluateTool.isUseful?.(
        planContext({ tools, constraints: constraints({ allow_reevaluate_loop: false }) }),
      ),
    ).toBe(false);
  });
});
