import type { EventEnvelope } from '@svc/contracts';
import { describe, expect, test } from 'vitest';
import { bridgeDeviations } from './bridge-deviations.ts';
import { applyDeviations, withSpecifiedIds } from './deviations.ts';
import { kindsOf } from './log-kinds.ts';
import { fillPlaceholders } from './placeholders.ts';
import { RecordedBridge, stablePart } from './recorded-bridge.ts';
import type { BridgeVectorOptions, Op } from './recorded-bridge.ts';
import { readBridgeVectors } from './bridge-vectors.ts';

interface Recorded {
  constructor_error?: { message: string };
  history: EventEnvelope[];
  results: { op_index: number; error?: { type: string; message: string } }[];
  closed: boolean;
  logs: { message: string }[];
}

const vectors = ['bridge', 'fuzz-bridge'].flatMap((file) =>
  readBridgeVectors<BridgeVectorOptions, { ops: Op[] }, Recorded>(file),
);

/** What the original's one queue held, and how much its history dropped, ours does not count: it has a log. */
function comparableResult({ op_index, error, ...observed }: Record<string, unknown>) {
  if (error !== undefined) return { op_index, error: isError(error) };
  const { queue: _queue, queue_size: _size, history_evictions: _evictions, ...rest } = observed;
  return { op_index, ...rest };
}

/** The original's language says what is no mapping; we say it is malformed. */
function isError(error: unknown): string {
  const { type, message } = error as { type: string; message: string };
  if (type === 'AttributeError') return 'EventSchemaError';
  return type === 'EventSchemaError' ? message.replaceAll(/[[\]']/g, '') : type;
}

const descriptorOfFamily: Readonly<Record<string, string>> = {
  tool_event: 'tool',
  system_tool_start: 'tool',
  system_tool_chunk: 'tool',
  system_tool_complete: 'tool',
  agent_assignment: 'assignment',
};

/** The specified second id stands in the descriptor that a rebuild makes, and nowhere else. */
function specified({ type, data }: EventEnvelope) {
  const descriptor = descriptorOfFamily[type.trim().toLowerCase()];
  if (descriptor === undefined) return { type, data };
  const { [descriptor]: rebuilt } = withSpecifiedIds({
    [descriptor]: data[descriptor],
  }) as EventEnvelope['data'];
  return { type, data: { ...data, [descriptor]: rebuilt } };
}

/** The comparison reads `__proto__` and `constructor` as what they are of every object, unless they have other names. */
function visible(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/"(__proto__|constructor)":/g, '"own $1":'));
}

describe('recorded bridge', () => {
  test.each(vectors)('$id', async ({ id, options, input, expected }) => {
    if (expected.constructor_error) {
      const [name = ''] = /\w+/.exec(expected.constructor_error.message.replace('EventBridge ', '')) ?? [];
      const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      expect(() => new RecordedBridge(options)).toThrow(camel);
      return;
    }
    const recorded = new RecordedBridge(options);
    const results: Record<string, unknown>[] = [];
    for (const [op_index, op] of input.ops.entries()) {
      try {
        const result = await recorded.run(op);
        await recorded.goOnAfterTerminal(op);
        if (result !== undefined) results.push({ op_index, ...(result as object) });
      } catch (error) {
        const { name, message, problems } = error as Error & { problems?: string[] };
        const isShape = problems?.[0]?.startsWith('data must be an object');
        results.push({
          op_index,
          error: isShape ? 'EventSchemaError' : problems ? message.replaceAll("'", '') : name,
        });
      }
    }
    const actual = {
      history: (await recorded.history()).map(stablePart),
      results,
      closed: recorded.bridge.closed,
      logs: kindsOf(recorded.warnings),
    };
    const original = {
      history: expected.history.map(specified),
      results: expected.results
        .filter((result) => !('queue' in result))
        .map((result) => comparableResult({ ...result })),
      closed: expected.closed,
      logs: kindsOf(expected.logs.map(({ message }) => message)),
    };
    const ours = applyDeviations(original, bridgeDeviations[id] ?? []);
    expect(visible(actual)).toStrictEqual(visible(fillPlaceholders(ours, actual)));
  });

  test('every case that deviates exists', () => {
    const ids = new Set(vectors.map(({ id }) => id));
    expect(Object.keys(bridgeDeviations).filter((id) => !ids.has(id))).toEqual([]);
  });
});
