import type { RunStore } from '@svc/contracts/orchestrator';
import type { EmbeddingModel } from 'ai';
import * as z from 'zod';
import { LONGEST_TIMER_MS } from './clock.js';
import type { FixedKey } from './keys/key-scope.js';
import type { OrchestratorLogger } from './logger.js';
import type { OrchestratorMemoryOptions } from './memory/create-memory.js';
import type { Planner } from './planning/planner.js';
import type { SystemToolsOptions } from './system-tools/create-system-tools.js';
import type { ReplOptions } from './system-tools/repl.js';
import type { WebSearchOptions } from './system-tools/web-search.js';
import { nullsAbsent } from './without-nulls.js';

const whole = z.number().int().min(1).optional();
const wholeMs = z.int().min(1).max(LONGEST_TIMER_MS).optional();

/** An object with all of these methods. */
const objectWith = <Part>(methods: readonly string[], hint: string) =>
  z.custom<Part>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((method) => typeof Reflect.get(value, method) === 'function'),
    hint,
  );

const WebSearchSchema = z.strictObject({
  endpoint: z.string(),
  headers: nullsAbsent(z.record(z.string(), z.string())).optional(),
  allowPrivateAddresses: z.boolean().optional(),
  timeoutMs: wholeMs,
  maxBytes: whole,
  lookup: z
    .custom<WebSearchOptions['lookup']>((value) => typeof value === 'function', 'must be a function')
    .optional(),
} satisfies Record<keyof WebSearchOptions, z.ZodType>);

const ReplSchema = z.strictObject({
  memoryBytes: whole,
  timeMs: wholeMs,
  outputLength: whole,
  maxConcurrent: whole,
} satisfies Record<keyof ReplOptions, z.ZodType>);

/** The options that `repl: true` and `repl: false` stand for. */
const replOptions = (repl: unknown) => (repl === true ? {} : repl === false ? undefined : repl);

/** The options of `createOrchestrator` that are parts of an orchestrator, not settings. */
export const partSchemas = {
  planner: objectWith<Planner>(
    ['next'],
    'must be offlinePlanner(), modelPlanner({ model }) or another object with next()',
  ).optional(),
  store: objectWith<RunStore>(
    ['createRun', 'append', 'follow'],
    'must be sqliteRunStore({ path }) or another RunStore',
  ).optional(),
  logger: objectWith<OrchestratorLogger>(
    ['info', 'warn', 'error'],
    'must be an object with info(), warn() and error()',
  ).optional(),
  keys: z.array(z.custom<FixedKey>()).default([]),
  memory: nullsAbsent(
    z.strictObject({
      embeddingModel: z
        .union([z.string(), objectWith<EmbeddingModel>(['doEmbed'], 'must be an embedding model')])
        .optional(),
      path: z.string().min(1).optional(),
    } satisfies Record<keyof OrchestratorMemoryOptions, z.ZodType>),
  ).prefault({}),
  systemTools: nullsAbsent(
    z.strictObject({
      webSearch: nullsAbsent(WebSearchSchema).optional(),
      // Not a union, whose error would not name the invalid field.
      repl: z.preprocess(replOptions, nullsAbsent(ReplSchema).optional()).optional(),
    } satisfies Record<keyof SystemToolsOptions, z.ZodType>),
  ).prefault({}),
};
