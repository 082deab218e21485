import type { AppEvent } from '@svc/contracts';
import { modelDump } from '@svc/contracts';
import { describe, expect, test } from 'vitest';
import { forwardNormalizedEvent } from '../../src/forward/forward.js';
import { buildAgentAssignmentPayload } from '../../src/payloads/assignment.js';
import { buildAssistantChunkPayload } from '../../src/payloads/assistant.js';
import { buildEnrichmentPayload } from '../../src/payloads/enrichment.js';
import { buildHookFiredPayload } from '../../src/payloads/hook.js';
import { buildInterruptRequiredPayload } from '../../src/payloads/interrupt.js';
import { buildStatusMessagePayload } from '../../src/payloads/status.js';
import {
  buildSystemToolChunkPayload,
  buildSystemToolCompletePayload,
  buildSystemToolStartPayload,
} from '../../src/payloads/system-tool.js';
import { buildToolEventPayload } from '../../src/payloads/tool.js';
import { buildErrorPayload, buildFinalPayload, buildSessionStartPayload } from '../../src/payloads/turn.js';
import { recordingReporter } from '../golden/recording-reporter.ts';
import { recordingBridge } from './recording-bridge.ts';

const tool = { toolName: 'fetch', toolId: 't', args: { q: 1 }, toolType: 'mcp', swarmName: 'Desk' };
const hook = {
  name: 'audit',
  stage: 'before',
  status: 'failed',
  targetType: 'tool',
  targetId: 't',
  targetName: 'fetch',
  source: 'tool',
  error: 'TypeError',
  elapsedMs: 3,
};
const question = { interruptId: 'i', dataKey: 'day', prompt: 'Which?', timestamp: '2026-01-02T03:04:05Z' };

const events: Record<string, AppEvent> = {
  session_start: buildSessionStartPayload({ sessionId: 's', assistantId: 'a' }),
  assistant_chunk: buildAssistantChunkPayload({ assistantId: 'a', text: 'Hi', replaceContent: true }),
  status_message: buildStatusMessagePayload({ assistantId: 'a', message: 'Looking' }),
  'tool_event, executing': buildToolEventPayload({ ...tool, status: 'executing' }),
  'tool_event, completed': buildToolEventPayload({ ...tool, status: 'completed', result: 1 }),
  'tool_event, failed': buildToolEventPayload({ ...tool, status: 'failed', error: 'no' }),
  'tool_event of an agent': buildToolEventPayload({
    ...tool,
    swarmName: null,
    agentName: 'Anna',
    status: 'running',
  }),
  system_tool_start: buildSystemToolStartPayload({ toolType: 'web', toolId: 'w', params: { q: 1 } }),
  system_tool_chunk: buildSystemToolChunkPayload({ toolId: 'w', text: 'page 2' }),
  system_tool_complete: buildSystemToolCompletePayload({ toolId: 'w', result: 1 }),
  system_tool_error: {
    contract_version: 'v1',
    event_name: 'system_tool_error',
    tool_id: 'w',
    tool_name: 'web',
    error: 'no',
    tool: { id: 'w', name: 'web', error: 'no' },
  },
  agent_assignment: buildAgentAssignmentPayload({
    agentName: 'Anna',
    status: 'failed',
    assignmentId: '1',
    swarmName: 'Desk',
    error: 'no',
    result: 1,
  }),
  enrichment: buildEnrichmentPayload({
    phase: 'planning',
    message: 'Planning',
    scopeId: '1',
    scopeName: 'Desk',
    scopeType: 'swarm',
    memory: { hits: 1 },
    redaction: { count: 1 },
  }),
  hook_fired: buildHookFiredPayload(hook),
  final: buildFinalPayload({ response: 'Done', result: 1, tokenUsage: { total: 2 } }),
  error: buildErrorPayload({ error: 'Too many' }),
  interrupt_required: buildInterruptRequiredPayload(question),
};

const envelope = ['contract_version', 'event_name', 'event_kind'];
const flatObjects = ['args', 'params', 'token_usage', 'memory', 'redaction'];
const isDescriptor = ([key, value]: [string, unknown]) =>
  typeof value === 'object' && value !== null && !flatObjects.includes(key);

async function forward(event: AppEvent) {
  const { reporter, calls } = recordingReporter('full');
  const { bridge, events: emitted } = recordingBridge();
  await forwardNormalizedEvent(event, { reporter, bridge });
  return { calls, emitted };
}

describe.each(Object.entries(events))('%s', (name, event) => {
  const flat = Object.entries(event).filter((entry) => !isDescriptor(entry));
  const nested = Object.entries(event).filter((entry) => envelope.includes(entry[0]) || isDescriptor(entry));
  test.each([
    ['only flat fields', Object.fromEntries(flat)],
    ['only descriptors', Object.fromEntries(nested)],
    ['everything a full dump has', modelDump(event)],
  ])('with %s is reported as the whole event is, and emitted', async (_, part) => {
    const expected = await forward(event);
    const { calls, emitted } = await forward(part as AppEvent);
    expect(calls).toEqual(expected.calls);
    expect(calls.length > 0).toBe(name !== 'interrupt_required');
    expect(emitted.map(({ type }) => type)).toEqual(expected.emitted.map(({ type }) => type));
    expect(emitted).toHaveLength(1);
  });

  test('needs no method of a reporter', async () => {
    const { bridge, events: emitted } = recordingBridge();
    await forwardNormalizedEvent(event, { reporter: {}, bridge });
    expect(emitted).toHaveLength(1);
  });
});

test.each(['name', 'stage', 'status', 'targetType'])(
  'a hook without a %s is emitted, not reported',
  async (field) => {
    const { calls, emitted } = await forward(buildHookFiredPayload({ ...hook, [field]: '' }));
    expect([calls.length, emitted.length]).toEqual([0, 1]);
  },
);

test.each(['sessionId', 'assistantId'])('a session without %s is emitted, not reported', async (field) => {
  const session = { sessionId: 's', assistantId: 'a', [field]: ' ' };
  const { calls, emitted } = await forward(buildSessionStartPayload(session));
  expect([calls.length, emitted.length]).toEqual([0, 1]);
});

test.each(['interruptId', 'dataKey', 'prompt'])('a question without %s is not emitted', async (field) => {
  const { emitted } = await forward(buildInterruptRequiredPayload({ ...question, [field]: '' }));
  expect(emitted).toEqual([]);
});

test.each([
  ['started', 'executing', 'report_tool_start'],
  ['Running', 'executing', 'report_tool_start'],
  ['in_progress', 'executing', 'report_tool_start'],
  ['pending', 'executing', 'report_tool_start'],
  ['success', 'completed', 'report_tool_complete'],
  ['error', 'failed', 'report_tool_error'],
  ['Paused', 'paused', undefined],
])('the status %s of a tool means %s', async (status, canonical, method) => {
  const { calls, emitted } = await forward(buildToolEventPayload({ ...tool, status }));
  expect(calls[0]?.method).toBe(method);
  expect(emitted[0]?.data.status).toBe(canonical);
});

test('a system tool that was cancelled is emitted as a tool event', async () => {
  const { emitted } = await forward(
    buildToolEventPayload({ ...tool, toolType: 'system', status: 'cancelled' }),
  );
  expect(emitted[0]).toMatchObject({
    type: 'tool_event',
    data: { status: 'cancelled', tool_type: 'system' },
  });
});

test('an event of the application keeps the descriptors that a full dump has', async () => {
  const own = { contract_version: 'v1', event_name: 'cart', scope: { id: '1' }, tool: { id: 't' } };
  expect((await forward(modelDump(own))).emitted).toEqual([
    { type: 'cart', data: { ...own, event_kind: null } },
  ]);
});

test('a final that failed is emitted, and reported with its usage', async () => {
  const final = buildFinalPayload({ response: '', tokenUsage: { total: 2 } });
  const failed = { ...final, status: 'failed', error: 'No answer in 1.5 s' };
  await forwardNormalizedEvent(failed, { reporter: {} });
  const { calls, emitted } = await forward(failed);
  expect(emitted).toHaveLength(1);
  expect(calls).toEqual([
    {
      method: 'print_event',
      arguments: {
        event_type: 'error',
        message: 'Agent execution failed: No answer in 1.5 s. Contact support if this persists.',
      },
    },
    { method: 'print_summary', arguments: { token_usage: { total: 2 } } },
  ]);
});
