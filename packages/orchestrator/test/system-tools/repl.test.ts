import { describe, expect, it } from 'vitest';
import { replTool, type ReplOptions } from '../../src/system-tools/repl.js';
import { SystemToolbox } from '../../src/system-tools/system-toolbox.js';
import { planContext } from '../planning/plan-fixtures.js';

const io = (signal = new AbortController().signal) => {
  const chunks: string[] = [];
  return {
    chunks,
    signal,
    context: planContext(),
    onChunk: (text: string) => chunks.push(text),
    onUsage: () => undefined,
  };
};
const run = (code: string, options: ReplOptions = {}, where = io()) =>
  new SystemToolbox([replTool(options)]).run({ tool_id: 'repl', args: { code } }, where);

describe('repl', () => {
  it.each([
    ['the last value', '[1, 2, 3].map((n) => n * 2)', { value: [2, 4, 6], output: '' }],
    [
      'the value of a promise',
      'Promise.resolve({ a: 1 }).then((x) => ({ ...x, b: 2 }))',
      { value: { a: 1, b: 2 }, output: '' },
    ],
    ['no value for undefined', 'const x = 1; undefined', { output: '' }],
    ['its console output', 'console.log("a", { b: [1] }); 5', { value: 5, output: 'a {"b":[1]}\n' }],
    ['the digits of a BigInt', '2n ** 70n', { value: '1180591620717411303424', output: '' }],
    ['the type of a value that JSON cannot represent', '(() => 1)', { value: 'function', output: '' }],
  ])('returns %s', async (_case, code, result) => {
    await expect(run(code)).resolves.toEqual({ status: 'ok', result });
  });

  it('returns a value nested too deep to be stored as text', async () => {
    const outcome = await run('let a = []; for (let i = 0; i < 9000; i++) a = [a]; a');
    expect(outcome).toEqual({
      status: 'ok',
      result: { value: '['.repeat(9001) + ']'.repeat(9001), output: '' },
    });
  });

  it('accepts the longest time limit that a timer supports', async () => {
    await expect(run('1 + 1', { timeMs: 2 ** 31 - 1 })).resolves.toMatchObject({ result: { value: 2 } });
  });

  it('streams its output', async () => {
    const where = io();
    await run('console.log("hello")', {}, where);
    expect(where.chunks).toEqual(['hello\n']);
  });

  it('exposes only the language: no globals of Node or browsers, and no imports', async () => {
    const names = [
      'process',
      'require',
      'fetch',
      'globalThis.process',
      'setTimeout',
      'WebAssembly',
      'XMLHttpRequest',
    ];
    await expect(run(`[${names.map((name) => `typeof ${name}`).join(', ')}]`)).resolves.toMatchObject({
      result: { value: names.map(() => 'undefined') },
    });
    await expect(run('import("node:fs")')).resolves.toMatchObject({
      status: 'error',
      error: { code: 'REPL_ERROR' },
    });
  });

  it('reports an error with the output written before it', async () => {
    await expect(run('console.log("before"); null.x')).resolves.toMatchObject({
      error: { code: 'REPL_ERROR', message: expect.stringMatching(/TypeError[\s\S]*before/) },
    });
    await expect(run('let 1x')).resolves.toMatchObject({
      error: { message: expect.stringContaining('SyntaxError') },
    });
  });

  it.each([
    ['code that exceeds its time limit', 'for (;;) {}', 'REPL_TIMEOUT'],
    [
      'code that exceeds its time limit in a promise',
      'Promise.resolve().then(() => { for (;;) {} })',
      'REPL_TIMEOUT',
    ],
    ['code that exceeds its memory limit', '"x".repeat(10_000_000)', 'REPL_MEMORY'],
    ['code that exceeds the stack size', 'const f = () => f() + 1; f()', 'REPL_ERROR'],
    ['code that waits for a promise that never settles', 'new Promise(() => {})', 'REPL_ERROR'],
  ])('stops %s', async (_case, code, expected) => {
    await expect(run(code, { timeMs: 500, memoryBytes: 4 * 1024 * 1024 })).resolves.toMatchObject({
      error: { code: expected },
    });
  });

  it('stops code that exceeds its memory limit in many small allocations', async () => {
    const code =
      'const kept = []; for (let i = 0; i < 500; i += 1) kept.push(new Array(1e5).fill(i)); kept.length';
    await expect(run(code, { timeMs: 60_000, memoryBytes: 4 * 1024 * 1024 })).resolves.toMatchObject({
      error: { code: 'REPL_MEMORY' },
    });
  });

  it('stops code that exceeds its time limit inside a built-in function or toJSON', async () => {
    const ended: string[] = [];
    const runUntil = async (name: string, code: string, timeMs: number) => {
      await expect(run(code, { timeMs })).resolves.toMatchObject({ error: { code: 'REPL_TIMEOUT' } });
      ended.push(name);
    };
    await Promise.all([
      runUntil('long', 'for (;;) {}', 4_000),
      runUntil('short', 'for (;;) "x".repeat(1e6).indexOf("y")', 100),
      runUntil('value', '({ toJSON() { for (;;) {} } })', 100),
    ]);
    expect(ended.at(-1)).toBe('long');
  });

  it('cuts its output and its value at the limit', async () => {
    const outcome = await run('for (let i = 0; i < 1000; i += 1) console.log("line"); "v".repeat(1000)', {
      outputLength: 50,
    });
    if (outcome.status !== 'ok') throw new Error('failed');
    expect(outcome.result).toMatchObject({
      is_cut: true,
      output: expect.stringMatching(/^[\s\S]{50}$/),
      value: expect.stringMatching(/^.{50}$/),
    });
  });

  it('does not cut within an emoji', async () => {
    const emojis = '"😀".repeat(50)';
    await expect(run(`console.log(${emojis}); "x" + ${emojis}`, { outputLength: 51 })).resolves.toMatchObject(
      {
        result: { is_cut: true, output: '😀'.repeat(25), value: `"x${'😀'.repeat(24)}` },
      },
    );
    await expect(run(`throw ${emojis}`, { outputLength: 51 })).resolves.toMatchObject({
      error: { message: expect.stringMatching(/^(?!.*\p{Surrogate}).*😀$/su) },
    });
  });

  it('keeps no state between calls', async () => {
    await run('globalThis.kept = 1');
    await expect(run('typeof kept')).resolves.toMatchObject({ result: { value: 'undefined' } });
  });

  it('stops at once when the run is cancelled', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const running = run('for (;;) {}', { timeMs: 60_000 }, io(controller.signal));
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  it('refuses a call with REPL_BUSY while all sandboxes are in use', async () => {
    const toolbox = new SystemToolbox([replTool({ maxConcurrent: 1 })]);
    const call = { tool_id: 'repl', args: { code: '1' } };
    const [first, second] = await Promise.all([toolbox.run(call, io()), toolbox.run(call, io())]);
    expect(first).toMatchObject({ status: 'ok' });
    expect(second).toMatchObject({ error: { code: 'REPL_BUSY', retryable: true } });
    await expect(toolbox.run(call, io())).resolves.toMatchObject({ status: 'ok' });
  });
});
