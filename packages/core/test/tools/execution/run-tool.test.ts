import { expect, it } from 'vitest';
import * as z from 'zod';
import { toolify } from '../../../src/decorators/toolify.js';
import { checkInput, runTool } from '../../../src/tools/execution/run-tool.js';

const endless = async () => new Promise<never>(() => {});

it('a tool’s own timeout also applies to validating its arguments', async () => {
  const input = z.object({}).refine(endless);
  const tool = toolify({ name: 't', description: 't', input, timeoutMs: 5 }, () => 1);
  const { signal } = new AbortController();
  const checking = checkInput({ tool, readings: [{}], injected: {}, signal, timeoutMs: 20 });
  await expect(checking).rejects.toMatchObject({ code: 'TOOL_TIMEOUT', details: { timeout_ms: 5 } });
});

it('a tool’s signal aborts when it times out, but the caller’s does not', async () => {
  const { signal } = new AbortController();
  let reason: unknown;
  const tool = toolify({ name: 't', description: 't', timeoutMs: 5 }, async (_args, context) => {
    context.signal.addEventListener('abort', () => (reason = context.signal.reason));
    return endless();
  });
  const context = Object.assign(Object.create(null), { signal });
  const running = runTool({ tool, args: {}, context, timeoutMs: 20 });
  await expect(running).rejects.toMatchObject({ code: 'TOOL_TIMEOUT' });
  expect(reason).toMatchObject({ code: 'TOOL_TIMEOUT' });
  expect(signal.aborted).toBe(false);
});
