import { withDeadline } from '../deadline.js';
import { ToolError } from '../tools/errors.js';
import type {
  AgentInjection,
  Injection,
  InterruptInjection,
  PrivateDataInjection,
} from '../tools/injection.js';
import { parseWith } from '../tools/input-schema.js';
import type { Call, CallBook } from './call-book.js';
import { dependencyTimeout, failedDependency, missingDependency } from './errors.js';
import type { PlannedTool } from './planned-tool.js';

/** Where injected values come from while a run goes on. */
export interface ArgumentSources {
  readonly book: CallBook;
  readonly dependencyTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes note of a value that is about to reach a tool and must not leave with what the tool says. */
  keepPrivate(name: string, value: unknown): void;
  /** Gets an answer from a person. */
  ask(injection: InterruptInjection, argument: string, call: Call): Promise<unknown>;
  /** Runs a producer that the planner did not call; `undefined` if it needs arguments that only a planner can fill. */
  runProducer(producer: string, injection: Injection, consumer: Call): Call | undefined;
}

/** The injected arguments of a call: private data first, then what people answer, then what tools and agents returned. */
export async function resolveArguments(
  planned: PlannedTool,
  call: Call,
  sources: ArgumentSources,
): Promise<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  const injections = [...planned.tool.inject];
  for (const [argument, injection] of injections) {
    if (injection.kind === 'private_data')
      values[argument] = await readPrivate(planned, injection, call, sources);
  }
  for (const [argument, injection] of injections) {
    if (injection.kind === 'interrupt') values[argument] = await sources.ask(injection, argument, call);
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

async function readPrivate(
  planned: PlannedTool,
  injection: PrivateDataInjection,
  call: Call,
  sources: ArgumentSources,
): Promise<unknown> {
  const { dataKey, schema } = injection;
  const found = planned.readPrivate(dataKey);
  if (!found) {
    throw new ToolError(
      `'${call.toolName}' needs the private value '${dataKey}', which privateData does not have.`,
      {
        code: 'DEPENDENCY_PRIVATE_DATA_MISSING',
        details: { data_key: dataKey },
      },
    );
  }
  // It may have been set after the run began, and a schema may make another value of it.
  sources.keepPrivate(dataKey, found.value);
  const isFit = schema ? await parseWith(schema, found.value) : isText(found.value);
  if (isFit.ok) {
    sources.keepPrivate(dataKey, isFit.value);
    return isFit.value;
  }
  throw new ToolError(
    `The private value '${dataKey}' is not what '${call.toolName}' declared; without a schema it must be a text.`,
    { code: 'DEPENDENCY_PRIVATE_DATA_INVALID', details: { data_key: dataKey } },
  );
}

function isText(value: unknown): { ok: true; value: string } | { ok: false } {
  return typeof value === 'string' ? { ok: true, value } : { ok: false };
}

async function readProducer(
  producer: string,
  injection: Injection | AgentInjection,
  consumer: Call,
  sources: ArgumentSources,
): Promise<unknown> {
  const call = sources.book.latest(producer) ?? sources.runProducer(producer, injection, consumer);
  if (!call) throw missingDependency(consumer.toolName, producer);
  const { dependencyTimeoutMs: timeoutMs, signal } = sources;
  const createError = (waitedMs: number) => dependencyTimeout(consumer.toolName, producer, waitedMs);
  const outcome = await withDeadline({ timeoutMs, signal, createError }, () => call.outcome);
  if (outcome.ok) return outcome.value;
  throw failedDependency(consumer.toolName, producer, outcome.failure);
}
