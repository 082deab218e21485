import { expect, it } from 'vitest';
import type { HookPayload } from '../../src/hooks/hook.js';
import { withHooks, type TargetHooks } from '../../src/hooks/with-hooks.js';
import { systemRuntime } from '../../src/runtime.js';

it('after-hooks run once, also if the report of one fails', async () => {
  const trace: string[] = [];
  const layer = (name: string, report: TargetHooks['report']): TargetHooks => ({
    targetType: 'tool',
    targetId: '1',
    targetName: 't',
    hooks: {
      before: [],
      after: [({ error, result }) => void trace.push(`${name}: ${error?.code ?? result}`)],
    },
    report,
  });
  const fail = () => {
    throw new Error('The log is closed.');
  };
  const hooked = {
    args: {},
    runId: 'r',
    signal: new AbortController().signal,
    runtime: systemRuntime,
    layers: [layer('outer', () => {}), layer('inner', fail)],
    privateValues: {
      copy: (value: unknown) => value,
      cleanFields: (fields: HookPayload['arguments']) => fields,
    },
    describe: () => ({ code: 'FAILED', message: '' }),
  };
  await expect(withHooks(hooked, async () => 'done')).rejects.toThrow('The log is closed.');
  expect(trace).toEqual(['inner: done', 'outer: FAILED']);
});
