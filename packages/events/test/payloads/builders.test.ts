import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildAgentAssignmentPayload } from '../../src/payloads/assignment.js';
import { buildAssistantChunkPayload } from '../../src/payloads/assistant.js';
import { buildEnrichmentPayload } from '../../src/payloads/enrichment.js';
import { buildInterruptRequiredPayload } from '../../src/payloads/interrupt.js';
import { buildStatusMessagePayload } from '../../src/payloads/status.js';
import {
  buildSystemToolChunkPayload,
  buildSystemToolCompletePayload,
  buildSystemToolStartPayload,
} from '../../src/payloads/system-tool.js';
import { buildToolEventPayload } from '../../src/payloads/tool.js';
import { buildErrorPayload, buildFinalPayload } from '../../src/payloads/turn.js';
import { rebuildPayload } from '../../src/payloads/rebuild-payload.js';

/** A usual name: neither blank nor padded. */
const name = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && text !== '');
const maybe = fc.option(name, { nil: null });
const json = fc.jsonValue();
const object = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  json,
);
const participant = { participantKey: maybe, participantName: maybe, participantRole: maybe };

const built: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc
    .record({
      toolName: name,
      toolId: name,
      status: name,
      args: object,
      result: json,
      error: maybe,
      agentName: maybe,
      swarmName: maybe,
      toolType: maybe,
      ...participant,
    })
    .map(buildToolEventPayload),
  fc
    .record({ toolType: name, toolId: name, params: object, agentName: maybe, swarmName: maybe })
    .map(buildSystemToolStartPayload),
  fc
    .record({
      toolId: name,
      text: fc.string(),
      progress: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    })
    .map(buildSystemToolChunkPayload),
  fc.record({ toolId: name, result: json }).map(buildSystemToolCompletePayload),
  fc
    .record({ assistantId: name, text: fc.string(), replaceContent: fc.boolean(), ...participant })
    .map(buildAssistantChunkPayload),
  fc.record({ assistantId: name, message: fc.string() }).map(buildStatusMessagePayload),
  fc
    .record({
      interruptId: name,
      dataKey: name,
      prompt: name,
      toolName: maybe,
      argName: maybe,
      checkpointId: maybe,
      assignmentId: maybe,
      interruptNumber: fc.integer(),
      totalInterrupts: fc.integer(),
      inputType: maybe,
      choices: fc.array(json),
      timestamp: maybe,
    })
    .map(buildInterruptRequiredPayload),
  fc
    .record({
      agentName: name,
      status: name,
      assignmentId: maybe,
      swarmName: maybe,
      task: maybe,
      error: maybe,
      result: json,
      ...participant,
    })
    .map(buildAgentAssignmentPayload),
  fc
    .record({
      phase: name,
      message: name,
      scopeId: maybe,
      scopeName: maybe,
      scopeType: fc.constantFrom('agent', 'SWARM', 'tenant', null),
      memory: object,
      redaction: object,
      ...participant,
    })
    .map(buildEnrichmentPayload),
  fc.record({ response: fc.string(), result: json, tokenUsage: fc.option(object) }).map(buildFinalPayload),
  fc.record({ error: name, details: object }).map(buildErrorPayload),
);

test('a response that is not a string and choices that are not an array do not affect other fields', () => {
  const answer = { city: 'Oslo' };
  const final = buildFinalPayload({ response: answer as never, result: 1 });
  expect(final).toMatchObject({ responses: [], response: answer, output: { response: answer, result: 1 } });
  const question = { interruptId: 'i', dataKey: 'day', prompt: 'Which day?', choices: 'Monday' as never };
  expect(buildInterruptRequiredPayload(question)).toMatchObject({
    prompt: 'Which day?',
    choices: [],
    interrupt: { choices: [] },
  });
});

test('choices without JSON get a text too, whatever they are', () => {
  const refuse = (): never => {
    throw new Error('no');
  };
  const circular = Object.assign(Object.create(null), { list: [] as unknown[] });
  circular.list.push(circular);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const choices = [circular, { toJSON: refuse, toString: refuse }, proxy, { n: 1n }];
  const question = { interruptId: 'i', dataKey: 'day', prompt: 'Which day?' };
  expect(buildInterruptRequiredPayload({ ...question, choices }).choices).toEqual(
    choices.map(() => '[object Object]'),
  );
  // Whether an engine can write JSON as deep as this differs.
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const [text = ''] =
    buildInterruptRequiredPayload({ ...question, choices: [JSON.parse(deep)] }).choices ?? [];
  expect(['[object Object]', deep].includes(text)).toBe(true);
  const plain = ['Monday', 1, { day: 1 }, 1n, undefined];
  expect(buildInterruptRequiredPayload({ ...question, choices: plain }).choices).toEqual([
    'Monday',
    '1',
    '{"day":1}',
    '1',
    'undefined',
  ]);
});

test('rebuilding a payload made by a builder does not change it', () => {
  fc.assert(
    fc.property(built, (payload) => {
      expect(JSON.stringify(rebuildPayload(String(payload.event_name), payload))).toBe(
        JSON.stringify(payload),
      );
    }),
    { numRuns: 1_000 },
  );
});
