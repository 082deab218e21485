import { FAMILY_PAYLOAD_SCHEMAS, isContractEventName } from '@svc/contracts';
import { createValueMatcher } from '@svc/redaction';
import { describe, expect, it } from 'vitest';
import type { Audience } from '../../src/audience/audience.js';
import { scrubData } from '../../src/audience/scrub-data.js';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { readAll } from '../read-events.js';
import { silentLogger } from '../silent-logger.js';

const said = (value: string) => `so it is ${value}, they say`;

/** Returns what a frontend_safe reader gets of one event per family, each with the value in a string. */
async function readEvents(value: string, audience: Audience, values: readonly string[]) {
  const privateValues = () => values.map((each) => ({ name: 'secret', value: each }));
  const bridge = new EventBridge('s', { audience, logger: silentLogger, privateValues });
  const text = said(value);
  const member = { agentName: 'Anna', swarmName: 'Desk', status: 'completed', result: text };
  await bridge.emitSessionStart({ sessionId: 's', assistantId: 'a' });
  await bridge.emitEnrichment({ phase: 'planning', message: text, scopeType: 'agent', scopeId: 'd' });
  await bridge.emitToolEvent({ toolName: 'f', toolId: 't', toolType: 'agent', args: { text }, ...member });
  await bridge.emitAgentAssignment({ assignmentId: 't', task: text, ...member });
  await bridge.emitSystemToolStart({ toolType: 'web', toolId: 'w', params: { text } });
  await bridge.emitSystemToolChunk({ toolId: 'w', text: `${text}.` });
  await bridge.emitSystemToolComplete({ toolId: 'w', result: text });
  await bridge.emitStatusMessage({ assistantId: 'a', message: text });
  const question = { interruptId: 'i', dataKey: 'k', prompt: text, inputType: 'choice', choices: [text] };
  await bridge.emitInterruptRequired({ ...question, timestamp: '2026-01-02T03:04:05Z' });
  const hook = { name: 'h', stage: 'before', status: 'failed', targetType: 'tool', source: 'tool' };
  await bridge.emitHookFired({ ...hook, targetName: text, elapsedMs: 1 });
  await bridge.emit('cart', { contract_version: 'v1', event_name: 'cart', event_kind: 'custom', text });
  await bridge.emitAssistantChunk({ assistantId: 'a', text: `${text}.` });
  await bridge.emitFinal({ response: text });
  return readAll(bridge.generateSse({ audience: 'frontend_safe' }));
}

describe.each(['internal', 'frontend_safe'] as const)(
  'a private value that is a word of the contract (%s)',
  (audience) => {
    it.each([
      'v1',
      'tool',
      'final',
      'Error',
      'agent',
      'completed',
      'name',
      'Status',
      'session',
      'event',
      '1',
      '0',
      'custom',
    ])('hides no event, field name or kind from a reader: %s', async (value) => {
      const events = await readEvents(value, audience, [value]);
      const open = await readEvents(value, audience, []);
      for (const { type, data } of events) {
        if (isContractEventName(type))
          expect(FAMILY_PAYLOAD_SCHEMAS[type].safeParse(data).error).toBe(undefined);
      }
      const shown = value.length < 4 ? value : '{_{secret}_}';
      const hidden = JSON.stringify(open.map(({ type, data }) => ({ type, data })));
      expect(JSON.parse(JSON.stringify(events.map(({ type, data }) => ({ type, data }))))).toEqual(
        JSON.parse(hidden.replaceAll(said(value), said(shown))),
      );
    });

    it('does not rename any event kind or field', async () => {
      const open = await readEvents('-', audience, []);
      const namesOf = ({ type, data }: (typeof open)[number]) => [
        type,
        data.event_kind,
        Object.keys(data).sort(),
      ];
      const contract = open.filter(({ type }) => isContractEventName(type));
      const words = contract.flatMap(({ type, data }) => [
        type,
        String(data.event_kind),
        ...Object.keys(data),
      ]);
      for (const word of new Set(words)) {
        const events = await readEvents('-', audience, [word]);
        expect(events.filter(({ type }) => isContractEventName(type)).map(namesOf)).toEqual(
          contract.map(namesOf),
        );
      }
    });
  },
);

it('a private value is hidden wherever it is not a word of the contract, flat and in descriptors', () => {
  const matcher = createValueMatcher([
    { name: 'word', value: 'tool' },
    { name: 'count', value: 7 },
  ]);
  const args = { tool: 'tool', id: 7 };
  const data = {
    tool_id: 'tool',
    elapsed_ms: 7,
    number: 7,
    args,
    tool: { id: 'tool', type: 'tool', elapsed_ms: 7, total: 7, args, tool: 'tool' },
    interrupt: { number: 7, total: 7, data_key: 7 },
    count: 7,
    my_tool: 1,
    ['__proto__']: 'tool',
  };
  const hidden = { '{_{word}_}': '{_{word}_}', id: '{_{count}_}' };
  const scrubbed = scrubData('tool_event', data, matcher);
  expect(JSON.parse(JSON.stringify(scrubbed))).toEqual({
    tool_id: '{_{word}_}',
    elapsed_ms: 7,
    number: '{_{count}_}',
    args: hidden,
    tool: {
      id: '{_{word}_}',
      type: 'tool',
      elapsed_ms: 7,
      total: '{_{count}_}',
      args: hidden,
      tool: '{_{word}_}',
    },
    interrupt: { number: 7, total: 7, data_key: '{_{count}_}' },
    count: '{_{count}_}',
    'my_{_{word}_}': 1,
    ['__proto__']: '{_{word}_}',
  });
  expect(data.tool.id).toBe('tool');
  const clean = { tool: { type: 'tool', status: 'completed' }, elapsed_ms: 7 };
  expect(scrubData('tool_event', clean, matcher)).toBe(clean);
});

it('a counter may equal a private number, but a text in its place is searched', () => {
  const matcher = createValueMatcher([{ name: 'pin', value: 4711 }]);
  const data = { progress: 4711, elapsed_ms: 'pin 4711', chunk: { progress: 4711 } };
  expect(scrubData('system_tool_chunk', data, matcher)).toEqual({ ...data, elapsed_ms: 'pin {_{pin}_}' });
});

it.each(['internal', 'frontend_safe'] as const)(
  'a private value is hidden in a custom event, whatever its fields are called (%s)',
  async (audience) => {
    const privateValues = () => [
      { name: 'account', value: 4_711_000_123 },
      { name: 'role', value: 'agent' },
    ];
    const bridge = new EventBridge('s', { audience, logger: silentLogger, privateValues });
    const own = { contract_version: 'v1', event_name: 'payment', event_kind: 'custom' };
    const fields = ['number', 'total', 'elapsed_ms', 'assignment_index', 'progress'];
    const numbers = Object.fromEntries(fields.map((field) => [field, 4_711_000_123]));
    await bridge.emit('payment', { ...own, ...numbers, status: 'agent', type: 'agent' });
    await bridge.emitFinal('done');
    const [payment] = await readAll(bridge.generateSse({ audience: 'frontend_safe' }));
    const hidden = fields.map((field) => [field, '{_{account}_}']);
    expect(payment?.data).toEqual({
      ...own,
      ...Object.fromEntries(hidden),
      status: '{_{role}_}',
      type: '{_{role}_}',
    });
  },
);
