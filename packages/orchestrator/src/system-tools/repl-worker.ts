import { parentPort, workerData } from 'node:worker_threads';
import {
  newQuickJSWASMModule,
  newVariant,
  RELEASE_SYNC,
  type QuickJSContext,
  type QuickJSRuntime,
} from 'quickjs-emscripten';

// This file runs in its own worker thread and must not import other source files.

/** The input of one evaluation. */
interface ReplTask {
  readonly code: string;
  readonly memoryBytes: number;
  readonly timeMs: number;
  readonly outputLength: number;
}

/** How the evaluation ended. */
type ReplReport =
  | { readonly ok: true; readonly output: string; readonly value?: string; readonly isCut: boolean }
  | {
      readonly ok: false;
      readonly reason: 'time' | 'memory' | 'error';
      readonly message: string;
      readonly output: string;
    };

/** Like `cutText`, which cannot be imported here: never splits a surrogate pair such as an emoji. */
function cut(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}

/** Text that grows up to a limit. */
class BoundedOutput {
  text = '';
  isCut = false;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(line: string): void {
    if (this.isCut) return;
    this.text += line;
    if (this.text.length <= this.#limit) return;
    this.text = cut(this.text, this.#limit);
    this.isCut = true;
  }
}

/** The only global besides the language: a console that writes to the output. */
function addConsole(context: QuickJSContext, output: BoundedOutput): void {
  const consoleObject = context.newObject();
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) {
    const write = context.newFunction(name, (...values) => {
      const parts = values.map((value) =>
        context.typeof(value) === 'string' ? context.getString(value) : stringify(context, value),
      );
      output.add(`${parts.join(' ')}\n`);
    });
    context.setProp(consoleObject, name, write);
    write.dispose();
  }
  context.setProp(context.global, 'console', consoleObject);
  consoleObject.dispose();
}

type Handle = Parameters<QuickJSContext['dump']>[0];

/** A value as JSON, written inside the sandbox so that its limits apply. */
function stringify(context: QuickJSContext, value: Handle): string {
  if (context.typeof(value) === 'bigint') return `"${context.getString(value)}"`;
  const json = context.getProp(context.global, 'JSON');
  const write = context.getProp(json, 'stringify');
  const called = context.callFunction(write, json, value);
  write.dispose();
  json.dispose();
  if (called.error) {
    called.error.dispose();
    return String(context.typeof(value));
  }
  const text =
    context.typeof(called.value) === 'string' ? context.getString(called.value) : context.typeof(value);
  called.value.dispose();
  return text;
}

function describeError(context: QuickJSContext, error: Handle): string {
  const dumped: unknown = context.dump(error);
  if (typeof dumped !== 'object' || dumped === null) return String(dumped);
  const { name, message } = dumped as { name?: unknown; message?: unknown };
  return `${String(name ?? 'Error')}: ${String(message ?? '')}`;
}

/** Runs pending promise jobs, then unwraps a promise. */
function settle(context: QuickJSContext, runtime: QuickJSRuntime, value: Handle) {
  const jobs = runtime.executePendingJobs();
  if (jobs.error) return { error: jobs.error } as const;
  const state = context.getPromiseState(value);
  if (state.type === 'pending') return { pending: true } as const;
  if (state.type === 'rejected') return { error: state.error } as const;
  return { value: state.value } as const;
}

const pageBytes = 65_536;
/** The memory the module needs before any code runs, in pages. */
const modulePages = 256;
/** The memory the module can address, in pages. */
const maxPages = 32_768;

// Node's types lack it.
declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => object };

/**
 * QuickJS itself refuses only a single allocation that is too large; the size of the memory limits all of them
 * together.
 */
function boundedMemory(memoryBytes: number): object {
  const maximum = Math.min(modulePages + Math.ceil(memoryBytes / pageBytes), maxPages);
  return new WebAssembly.Memory({ initial: modulePages, maximum });
}

async function evaluate({ code, memoryBytes, timeMs, outputLength }: ReplTask): Promise<ReplReport> {
  const variant = newVariant(RELEASE_SYNC, { wasmMemory: boundedMemory(memoryBytes) });
  const runtime = (await newQuickJSWASMModule(variant)).newRuntime();
  runtime.setMemoryLimit(memoryBytes);
  runtime.setMaxStackSize(256 * 1024);
  const deadline = performance.now() + timeMs;
  let isLate = false;
  runtime.setInterruptHandler(() => {
    isLate ||= performance.now() > deadline;
    return isLate;
  });
  const context = runtime.newContext();
  const output = new BoundedOutput(outputLength);
  addConsole(context, output);
  const fail = (error: Handle): ReplReport => {
    const message = describeError(context, error);
    const reason = isLate ? 'time' : /out of memory/i.test(message) ? 'memory' : 'error';
    return { ok: false, reason, message: cut(message, outputLength), output: output.text };
  };
  report('started');
  const evaluated = context.evalCode(code, 'repl.js');
  if (evaluated.error) return fail(evaluated.error);
  const settled = settle(context, runtime, evaluated.value);
  if ('error' in settled && settled.error) return fail(settled.error);
  if ('pending' in settled)
    return {
      ok: false,
      reason: 'error',
      message: 'The code waits for a promise that never settles.',
      output: output.text,
    };
  const isUndefined = context.typeof(settled.value) === 'undefined';
  const value = new BoundedOutput(outputLength);
  if (!isUndefined) value.add(stringify(context, settled.value));
  if (isLate) return { ok: false, reason: 'time', message: '', output: output.text };
  // The thread, and with it the sandbox's memory, ends after this report.
  return {
    ok: true,
    output: output.text,
    ...(isUndefined ? {} : { value: value.text }),
    isCut: output.isCut || value.isCut,
  };
}

function report(message: 'started' | ReplReport): void {
  // A thread's port has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(message);
}

report(await evaluate(workerData as ReplTask));
