import { Worker } from 'node:worker_threads';
import type { JsonObject, JsonValue } from '@svc/contracts';
import * as z from 'zod';
import { LONGEST_TIMER_MS } from '../clock.js';
import { isTooDeep } from '../json-depth.js';
import type { SystemTool } from './system-tool.js';
import { SystemToolError } from './system-tool-error.js';

/** What code in the sandbox may use up. */
export interface ReplOptions {
  /** Memory of one sandbox, in bytes, in addition to the 16 MiB that the sandbox itself takes. @default 33_554_432 (32 MiB) */
  readonly memoryBytes?: number | undefined;
  /** Time limit of one call, in milliseconds. @default 2_000 */
  readonly timeMs?: number | undefined;
  /** Maximum length of the output, and of the value, in characters; the rest is cut off. @default 20_000 */
  readonly outputLength?: number | undefined;
  /** Maximum number of concurrent calls; further ones fail and may be retried. @default 4 */
  readonly maxConcurrent?: number | undefined;
}

const ReportSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), output: z.string(), value: z.string().optional(), isCut: z.boolean() }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(['time', 'memory', 'error']),
    message: z.string(),
    output: z.string(),
  }),
]);
type Report = z.infer<typeof ReportSchema>;

/** In the sources the worker is next to this file, in the build next to the entry. */
const workerUrl = () =>
  new URL(import.meta.url.endsWith('.ts') ? './repl-worker.ts' : './repl-worker.js', import.meta.url);

/** How long a thread may take to start running code. */
const startMs = 5_000;
/** The sandbox checks its deadline between steps of the code; a long step is cut off this much later. */
const graceMs = 250;

type Limits = Record<keyof ReplOptions, number>;

function timedOut({ timeMs }: Limits): SystemToolError {
  return new SystemToolError(`The code ran longer than ${timeMs} ms.`, { code: 'REPL_TIMEOUT' });
}

/** Runs code in its own thread, which is always terminated. */
async function runWorker(code: string, limits: Limits, signal: AbortSignal): Promise<Report> {
  signal.throwIfAborted();
  const { memoryBytes, timeMs, outputLength } = limits;
  const worker = new Worker(workerUrl(), {
    workerData: { code, memoryBytes, timeMs, outputLength },
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
  });
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<Report>((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const endAfter = (delayMs: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(timedOut(limits)), Math.min(delayMs, LONGEST_TIMER_MS));
      };
      endAfter(startMs + timeMs);
      worker.on('message', (message) => {
        if (message === 'started') endAfter(timeMs + graceMs);
        else resolve(ReportSchema.parse(message));
      });
      worker.once('error', (cause) =>
        reject(new SystemToolError('The sandbox crashed.', { code: 'REPL_ERROR', cause })),
      );
      worker.once('exit', () =>
        reject(new SystemToolError('The sandbox ended without a result.', { code: 'REPL_ERROR' })),
      );
    });
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function failureOf(report: Extract<Report, { ok: false }>, limits: Limits): SystemToolError {
  if (report.reason === 'time') return timedOut(limits);
  if (report.reason === 'memory')
    return new SystemToolError(`The code needs more than ${limits.memoryBytes} bytes.`, {
      code: 'REPL_MEMORY',
    });
  const output = report.output === '' ? '' : `\nOutput before: ${report.output.slice(-1000)}`;
  return new SystemToolError(`${report.message}${output}`, { code: 'REPL_ERROR' });
}

function valueOf(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  try {
    const value: JsonValue = JSON.parse(text);
    return { value: isTooDeep(value) ? text : value };
  } catch {
    // A truncated value, or one that is not JSON, is returned as text.
    return { value: text };
  }
}

/**
 * Runs JavaScript in a sandbox: QuickJS compiled to WebAssembly, in its own thread, without files, network, environment
 * or modules, within limits on memory, time and output.
 */
export function replTool(options: ReplOptions = {}): SystemTool {
  const {
    memoryBytes = 32 * 1024 * 1024,
    timeMs = 2_000,
    outputLength = 20_000,
    maxConcurrent = 4,
  } = options;
  const limits = { memoryBytes, timeMs, outputLength, maxConcurrent };
  let running = 0;
  return {
    name: 'repl',
    description:
      'Run JavaScript to calculate or to transform data. No files, network or modules. The value of the last expression and what console.log writes are returned.',
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', minLength: 1, maxLength: 100_000 } },
      required: ['code'],
    },
    run: async (args, { signal, onChunk }) => {
      if (running >= maxConcurrent)
        throw new SystemToolError('All sandboxes are busy; try again.', {
          code: 'REPL_BUSY',
          retryable: true,
        });
      running += 1;
      try {
        const report = await runWorker(String(args['code']), limits, signal);
        if (report.output !== '') onChunk(report.output);
        if (!report.ok) throw failureOf(report, limits);
        const { output, value, isCut } = report;
        return { ...valueOf(value), output, ...(isCut ? { is_cut: true } : {}) };
      } finally {
        running -= 1;
      }
    },
  };
}
