import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/index.js';
import { describeFailure } from '../../../src/tools/execution/describe-failure.js';
import { startAgent } from '../../agent-setup.js';
import { revokedProxy, withGetter } from '../../unreadable-errors.js';

const UNREADABLE: readonly [string, () => unknown][] = [
  ['a revoked proxy', revokedProxy],
  ['a message that throws', () => withGetter('message', new Error('x'))],
  ['a name that throws', () => withGetter('name', new Error(''))],
  ['details that throw', () => withGetter('details', new ToolError('x', { code: 'A' }))],
  ['a stack that throws', () => withGetter('stack', new Error('x'))],
];

describe('whatever a tool throws has a code and a message', () => {
  const values = { cleanText: (text: string) => text };

  it.each(UNREADABLE)('also %s', (_what, create) => {
    const failure = describeFailure(create(), values);
    expect(failure.code).toMatch(/^[A-Z]+/);
    expect(failure.message).not.toContain('4711');
  });

  it.each([404, ''])('and a code that is not a string, or is empty, counts as none: %j', (code) => {
    const error = Object.assign(new ToolError('The page is gone.', { code: 'GONE' }), { code });
    expect(describeFailure(error, values)).toEqual({ code: 'TOOL_FAILED', message: 'The page is gone.' });
  });

  it('and so does a code that is too long to be one, or that contains a private value', () => {
    const hiding = { cleanText: (text: string) => text.replace('4711', '[pin]') };
    for (const code of ['A'.repeat(129), 'UPSTREAM_4711']) {
      expect(describeFailure(new ToolError('x', { code }), hiding)).toEqual({
        code: 'TOOL_FAILED',
        message: 'x',
      });
    }
    const longest = 'A'.repeat(128);
    expect(describeFailure(new ToolError('x', { code: longest }), hiding).code).toBe(longest);
  });

  it('and a ToolError created without options has one', () => {
    expect(describeFailure(new ToolError('The bank is closed.'), values)).toEqual({
      code: 'TOOL_FAILED',
      message: 'The bank is closed.',
    });
  });

  it.each([true, false])(
    'and a ToolError says whether it may be retried if its author said so: %s',
    (isRetryable) => {
      expect(describeFailure(new ToolError('x', { isRetryable }), values)).toHaveProperty(
        'retryable',
        isRetryable,
      );
    },
  );
});

describe('an error that cannot be read', () => {
  it.each(UNREADABLE)('fails only its call, as %s', async (_what, create) => {
    const answers: unknown[] = [];
    await using setup = await startAgent(async (session) => {
      answers.push(await session.callTool('pay'));
      session.finish();
    });
    setup.agent.toolify({ name: 'pay', description: 'Pay' }, () => {
      throw create();
    });
    expect((await setup.agent.invoke('x')).status).toBe('completed');
    expect(answers).toMatchObject([{ status: 'error' }]);
  });

  it.each(UNREADABLE)('fails only its hook, as %s', async (_what, create) => {
    const answers: unknown[] = [];
    const beforeExecute = () => {
      throw create();
    };
    const script = async (session: { callTool(name: string): Promise<unknown>; finish(): void }) => {
      answers.push(await session.callTool('pay'));
      session.finish();
    };
    await using perCall = await startAgent(script);
    perCall.agent.toolify({ name: 'pay', description: 'Pay', beforeExecute }, () => 'paid');
    await perCall.agent.invoke('x');
    await using perRun = await startAgent(script, { hookExecutionMode: 'scope', beforeExecute });
    perRun.agent.toolify({ name: 'pay', description: 'Pay' }, () => 'paid');
    await perRun.agent.invoke('x');
    expect(answers).toMatchObject([
      { status: 'ok', result: 'paid' },
      { status: 'ok', result: 'paid' },
    ]);
  });
});
