import { withDeadline } from '../deadline.js';
import type { Injection, InterruptInjection } from '../tools/references/injection.js';
import type { Call, CallBook } from './call-book.js';
import { dependencyTimeout, failedDependency, missingDependency, surroundingDependency } from './errors.js';
import type { PlannedTool } from './planned-tool.js';
import { readPrivateArgument } from './private-argument.js';

/** The sources of injected values during a run. */
export interface ArgumentSources {
  readonly book: CallBook;
  readonly dependencyTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Registers a value that is about to reach a tool and must not leave with the tool's output. */
  keepPrivate(name: string, value: unknown): void;
  /** Asks a person. */
  ask(injection: InterruptInjection, argument: string): Promise<unknown>;
  /** Returns the latest call of a producer that this session may see. */
  latestCall(producer: string): Call | undefined;
  /** Runs a producer that the planner did not call; `undefined` if it needs arguments that only a planner can fill. */
  runProducer(producer: string, injection: Injection): Call | undefined;
}

/**
 * Resolves the injected arguments of a call: private data first, then answers of people, then results of tools and
 * agents.
 */
export async function resolveArguments(
  planned: PlannedTool,
  call: Call,
  sources: ArgumentSources,
): Promise<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  const injections = [...planned.tool.inject];
  for (const [argument, injection] of injections) {
    if (injection.kind !== 'private_data') continue;
    const { dependencyTimeoutMs: timeoutMs, keepPrivate, signal } = sources;
    const source = { toolName: call.toolName, read: planned.readPrivate, keepPrivate, timeoutMs, signal };
    values[argument] = await readPrivateArgument(injection, source);
  }
  for (const [argument, injection] of injections) {
    if (injection.kind === 'interrupt') values[argument] = await sources.ask(injection, argument);
  }
  const produced = injections.flatMap(([argument, injection]) => {
    const producer = planned.producers.get(argument);
    return producer === undefined ? [] : [{ argument, injection, producer }];
  });
  await Promise.all(
    produced.map(async ({ argument, injection, producer }) => {
      values[argument] = await readProducer(producer, injection, call, sources);
    }),
  );
  return values;
}

async function readProducer(
  producer: string,
  injection: Injection,
  consumer: Call,
  sources: ArgumentSources,
): Promise<unknown> {
  const call = sources.latestCall(producer) ?? sources.runProducer(producer, injection);
  if (!call) throw missingDependency(consumer.toolName, producer);
  if (sources.book.isWithin(call)) throw surroundingDependency(consumer.toolName, producer);
  const { dependencyTimeoutMs: timeoutMs, signal } = sources;
  const createError = (waitedMs: number) => dependencyTimeout(consumer.toolName, producer, waitedMs);
  const outcome = await withDeadline({ timeoutMs, signal, createError }, () => call.outcome);
  if (outcome.ok) return outcome.value;
  throw failedDependency(consumer.toolName, producer, outcome.failure);
}
