import type { EventEnvelope } from '@svc/contracts';
import { createValueMatcher } from '@svc/redaction';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { decodeFrames } from '../../src/log/decode-frames.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

/** Values that occur nowhere else in these events. */
const canaries = ['tok_QwErTyZxCv', 'Zoë "Quux" & Söhne/GmbH', 'ΩmegaΛambda', 'a\\b\nKAPPA'];
const names = canaries.map((_, i) => `data_${i}`);
const privateValues = () => canaries.map((value, i) => ({ name: names[i] ?? '', value }));

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** The forms in which a value may occur in a string. */
const forms = [
  (value: string) => value,
  (value: string) => value.toUpperCase(),
  (value: string) => JSON.stringify(value).slice(1, -1),
  (value: string) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  (value: string) => encodeURIComponent(value),
  (value: string) => base64(`<${value}>`),
  (value: string) => base64(value).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
];

const planted = fc
  .tuple(fc.constantFrom(...canaries), fc.constantFrom(...forms))
  .map(([value, form]) => form(value));
const filler = fc.constantFrom('1', ' 22 ', '- ', '', '5,5;', '\u2028', '{"7": 8}');
const text = fc
  .array(fc.oneof(filler, planted), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('1'));
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(1, true, null),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom('a', 'error', 'details', 'private_data_injected', 'message', '__proto__'),
        text,
      ),
      tie('node'),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
})).node;
const fields = fc.dictionary(
  fc.constantFrom(
    'args',
    'result',
    'tool',
    'error',
    'details',
    'error_info',
    'message',
    'status',
    'prompt',
    'params',
    'trace',
    'redaction',
    'memory',
    'hook',
    'assignment',
    'response',
    'tool_name',
    'tool_id',
    'choices',
    'enrichment',
    'participant_name',
    'scope',
  ),
  value,
  { maxKeys: 6, noNullPrototype: true },
);

type Step =
  | { name: string; data: Record<string, unknown> }
  | { chunks: string[]; of: 'assistant' | 'tool'; id: string };
const event: fc.Arbitrary<Step> = fc.record({
  name: fc.oneof(
    fc.constantFrom(
      'tool_event',
      'system_tool_start',
      'system_tool_complete',
      'status_message',
      'interrupt_required',
      'agent_assignment',
      'enrichment',
      'hook_fired',
      'system_tool_error',
      'session_start',
      'custom',
    ),
    text.map((part) => `custom:${part.replaceAll(/[\r\n]/g, '')}`),
  ),
  data: fields,
});
/** A text that contains values, split into chunks anywhere. */
const split: fc.Arbitrary<Step> = fc
  .record({
    whole: text,
    cuts: fc.array(fc.nat({ max: 60 }), { maxLength: 5 }),
    of: fc.constantFrom('assistant' as const, 'tool' as const),
    id: fc.constantFrom('x', 'y'),
  })
  .map(({ whole, cuts, of, id }) => {
    const places = [0, ...cuts.filter((at) => at < whole.length).toSorted((a, b) => a - b), whole.length];
    return { of, id, chunks: places.slice(1).map((end, i) => whole.slice(places[i], end)) };
  });
const steps = fc.array(fc.oneof(event, split), { minLength: 1, maxLength: 12 });

async function play(bridge: EventBridge, all: readonly Step[]): Promise<void> {
  for (const step of all) {
    if ('name' in step) await bridge.emit(step.name, step.data);
    else {
      for (const chunk of step.chunks) {
        if (step.of === 'assistant') await bridge.emitAssistantChunk({ assistantId: step.id, text: chunk });
        else await bridge.emitSystemToolChunk({ toolId: step.id, text: chunk });
      }
    }
  }
  await bridge.emit('final', {
    response: 'done',
    error: canaries[0],
    error_info: { details: { why: canaries[1] } },
  });
}

/** Returns every string in the events, and the joined text of each stream. */
function textsOf(events: readonly EventEnvelope[]): string[] {
  const texts: string[] = [];
  const collect = (item: unknown): void => {
    if (typeof item === 'string') texts.push(item);
    else if (Array.isArray(item)) item.forEach(collect);
    else if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) collect([key, inner]);
    }
  };
  collect(events);
  const streams = new Map<string, string>();
  for (const { type, data } of events) {
    if (type !== 'assistant_chunk' && type !== 'system_tool_chunk') continue;
    const stream = `${type} ${String(data.assistant_id ?? data.tool_id)}`;
    streams.set(stream, (streams.get(stream) ?? '') + String(data.text));
  }
  return [...texts, ...streams.values()];
}

const secrets = canaries.flatMap((canary) => forms.slice(0, 5).map((form) => form(canary)));

function expectNoCanary(events: readonly EventEnvelope[]): void {
  const texts = textsOf(events).join('\n\n\n');
  const words = texts.match(/[\w+/-]{8,}/g) ?? [];
  const decoded = words.map((word) => Buffer.from(word, 'base64').toString()).join('\n\n\n');
  const lower = texts.toLowerCase();
  const leaked = secrets.filter((secret) => lower.includes(secret.toLowerCase()) || decoded.includes(secret));
  expect(leaked).toEqual([]);
}

const options = { logger: silentLogger, schemaValidation: 'off' as const, privateValues };

describe('a frontend_safe reader', () => {
  test('gets no private value in any form from a frontend_safe bridge', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const bridge = new EventBridge('s', { ...options, audience: 'frontend_safe' });
        await play(bridge, all);
        const events = await readAll(bridge.generateSse({ audience: 'internal' }));
        expectNoCanary(events);
        expect(events).toEqual(await bridge.history());
        expect(events.at(-1)?.type).toBe('final');
      }),
      { numRuns: 300 },
    );
  });

  test('gets none from an internal bridge, and the same events live, replayed, resumed or elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (all, cut) => {
        const log = new MemoryEventLog();
        const bridge = new EventBridge('s', { ...options, log });
        const other = new EventBridge('s', { logger: silentLogger, log });
        const read = async (from: EventBridge, lastEventId?: string) => {
          let frames = '';
          const reading = { audience: 'frontend_safe', lastEventId: lastEventId ?? null } as const;
          for await (const frame of from.generateSse(reading)) frames += frame;
          return frames;
        };
        const live = read(bridge);
        await bridge.waitForSubscriber({ timeoutMs: 1000 });
        await play(bridge, all);
        const whole = await live;
        const events = decodeFrames(whole).map(({ envelope }) => envelope);
        expectNoCanary(events);
        expect(await read(bridge)).toBe(whole);
        expect(await read(other)).toBe(whole);
        const cursor = events[cut % events.length]?.id ?? '';
        const isLast = cursor === events.at(-1)?.id;
        const rest = isLast ? '' : await read(other, cursor);
        expect(decodeFrames(rest).map(({ envelope }) => envelope)).toEqual(
          events.slice((cut % events.length) + 1),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('gets all of an assistant text except the values, however it is split', async () => {
    const matcher = createValueMatcher(privateValues());
    await fc.assert(
      fc.asyncProperty(fc.array(split, { minLength: 1, maxLength: 8 }), async (all) => {
        const bridge = new EventBridge('s', { ...options, audience: 'frontend_safe' });
        await play(bridge, all);
        for (const id of ['x', 'y']) {
          const own = all.filter((step) => 'chunks' in step && step.of === 'assistant' && step.id === id);
          const whole = own.flatMap((step) => ('chunks' in step ? step.chunks : [])).join('');
          const chunks = (await bridge.history()).filter(({ data }) => data.assistant_id === id);
          const shown = chunks.map(({ data }) => String(data.text)).join('');
          expect(shown).toBe(matcher.replace(whole));
          expect(chunks.every(({ data }) => (data.assistant as { delta: string }).delta === data.text)).toBe(
            true,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is the only one affected by private values: an internal history contains everything', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const withValues = new EventBridge('s', options);
        const without = new EventBridge('s', { ...options, privateValues: () => [] });
        await play(withValues, all);
        await play(without, all);
        const parts = (events: readonly EventEnvelope[]) => events.map(({ type, data }) => ({ type, data }));
        expect(parts(await withValues.history())).toEqual(parts(await without.history()));
      }),
      { numRuns: 50 },
    );
  });
});
