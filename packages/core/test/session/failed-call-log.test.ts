import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { ToolError } from '../../src/index.js';
import type { LogRecord } from '../../src/logging/log-record.js';
import { configureLogging } from '../../src/logging/logger.js';
import { startAgent } from '../agent-setup.js';

/** Returns the log line of a call whose tool throws. */
async function lineOfFailure(thrown: unknown): Promise<LogRecord | undefined> {
  const lines: LogRecord[] = [];
  configureLogging({ level: 'info', sink: (record) => lines.push(record) });
  onTestFinished(() => configureLogging({ level: 'silent' }));
  await using setup = await startAgent(async (session) => {
    await session.callTool('pay', {}, 'ev-1');
    session.finish();
  });
  setup.agent.toolify({ name: 'pay', description: 'Pay' }, () => {
    throw thrown;
  });
  await setup.agent.invoke('x');
  return lines.find(({ message }) => message === 'A tool call failed.');
}

it('an unexpected error of a tool is logged as a warning, with its stack frames but without its message', async () => {
  const line = await lineOfFailure(new TypeError('customer 4711\n    at 221b Baker Street, London'));
  expect(line).toMatchObject({
    level: 'warn',
    fields: {
      tool: 'pay',
      code: 'TOOL_FAILED',
      tool_event_id: 'ev-1',
      stack: expect.arrayContaining([expect.stringMatching(/^at .*failed-call-log\.test\.ts:\d+:\d+\)?$/)]),
    },
  });
  expect(JSON.stringify(line)).not.toMatch(/customer 4711|Baker/);
});

it('so is an error of another realm, such as of code that node:vm ran', async () => {
  const thrown: unknown = runInNewContext('new TypeError("customer 4711")', {}, { filename: 'rates.vm' });
  const line = await lineOfFailure(thrown);
  expect(line?.fields['stack']).toContainEqual(expect.stringContaining('rates.vm'));
  expect(JSON.stringify(line)).not.toContain('customer 4711');
});

it('a ToolError is logged at info, without a stack', async () => {
  const line = await lineOfFailure(new ToolError('The bank is closed.', { code: 'BANK_CLOSED' }));
  expect(line).toMatchObject({ level: 'info', fields: { tool: 'pay', code: 'BANK_CLOSED' } });
  expect(line?.fields).not.toHaveProperty('stack');
});

it('never logs a message, even if its lines look like those of a stack', async () => {
  const line = await lineOfFailure(new Error('refused\n    at card-4711:1:2'));
  expect(JSON.stringify(line)).not.toMatch(/card-4711/);
  expect(line?.fields['stack']).not.toEqual([]);
});

it('a thrown value that is not an Error is logged as a warning, with an empty stack', async () => {
  expect(await lineOfFailure('customer 4711')).toMatchObject({ level: 'warn', fields: { stack: [] } });
});
