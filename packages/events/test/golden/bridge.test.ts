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

/** Leaves out queue sizes and evictions, which svc does not count: it has a log instead of a queue. */
function comparableResult({ op_index, error, ...observed }: Record<string, unknown>) {
  if (error !== undefined) return { op_index, error: errorOf(error) };
  const { queue: _queue, queue_size: _size, history_evictions: _evictions, ...rest } = observed;
  return { op_index, ...rest };
}

/** Where Python raises an AttributeError because data is not a mapping, svc throws an EventSchemaError. */
function errorOf(error: unknown): string {
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

/** Adds the second id of the specification to the descriptor that a rebuild creates, and nowhere else. */
function specified({ type, data }: EventEnvelope) {
  const descriptor = descriptorOfFamily[type.trim().toLowerCase()];
  if (descriptor === undefined) return { type, data };
  const { [descriptor]: rebuilt } = withSpecifiedIds({
    [descriptor]: data[descriptor],
  }) as EventEnvelope['data'];
  return { type, data: { ...data, [descriptor]: rebuilt } };
}

/** Renames own `__proto__` and `constructor` fields, which the comparison would otherwise read from the prototype. */
function visible(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/"(__proto__|constructor)":/g, '"own $1":'));
}

describe('the bridge, compared with recordings of the original', () => {
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
        await recorded.reopenAfterTerminal(op);
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

  test('deviations are only listed for cases that exist', () => {
    const ids = new Set(vectors.map(({ id }) => id));
    expect(Object.keys(bridgeDeviations).filter((id) => !ids.has(id))).toEqual([]);
  });
});
