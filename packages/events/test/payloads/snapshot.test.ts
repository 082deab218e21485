import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildErrorPayload, buildFinalPayload } from '../../src/payloads/turn.js';
import { buildAgentAssignmentPayload } from '../../src/payloads/assignment.js';
import { buildEnrichmentPayload } from '../../src/payloads/enrichment.js';
import { buildInterruptRequiredPayload } from '../../src/payloads/interrupt.js';
import {
  buildSystemToolCompletePayload,
  buildSystemToolStartPayload,
} from '../../src/payloads/system-tool.js';
import { buildToolEventPayload } from '../../src/payloads/tool.js';
import { snapshotOf } from '../../src/payloads/snapshot.js';

describe('snapshotOf', () => {
  test('copies JSON exactly', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(snapshotOf(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  test('keeps an own __proto__ field as a field', () => {
    const copy: object = snapshotOf(JSON.parse('{"a":{"__proto__":{"polluted":true}}}'));
    expect(JSON.stringify(copy)).toBe('{"a":{"__proto__":{"polluted":true}}}');
    expect('polluted' in Object(Reflect.get(copy, 'a'))).toBe(false);
  });

  test('terminates on a circular value', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop.self = loop;
    loop.list = [loop];
    expect(() => JSON.stringify(snapshotOf(loop))).toThrow(TypeError);
  });

  test('copies an object at every place where it occurs', () => {
    const shared = { list: [1] };
    const copy = snapshotOf({ first: shared, rest: [shared, shared.list] });
    shared.list.push(2);
    expect(copy).toEqual({ first: { list: [1] }, rest: [{ list: [1] }, [1]] });
  });

  test('does not copy objects that have toJSON', () => {
    const date = new Date(0);
    expect(snapshotOf({ date }).date).toBe(date);
  });
});

describe('a later change to the input does not show up in', () => {
  const given = () => ({ deep: { list: [1] } });
  const later = (value: ReturnType<typeof given>) => {
    value.deep.list.push(2);
    Object.assign(value, { added: true });
  };
  test.each([
    [
      'tool_event',
      (value: object) =>
        buildToolEventPayload({ toolName: 'n', toolId: 't', status: 's', args: { value }, result: value }),
    ],
    [
      'system_tool_start',
      (value: object) => buildSystemToolStartPayload({ toolType: 'n', toolId: 't', params: { value } }),
    ],
    [
      'system_tool_complete',
      (value: object) => buildSystemToolCompletePayload({ toolId: 't', result: value }),
    ],
    [
      'agent_assignment',
      (value: object) => buildAgentAssignmentPayload({ agentName: 'a', status: 's', result: value }),
    ],
    [
      'enrichment',
      (value: object) =>
        buildEnrichmentPayload({ phase: 'p', message: 'm', memory: { value }, redaction: { value } }),
    ],
    [
      'interrupt_required',
      (value: object) =>
        buildInterruptRequiredPayload({ interruptId: 'i', dataKey: 'd', prompt: 'p', choices: [value] }),
    ],
    ['final', (value: object) => buildFinalPayload({ response: 'r', result: value, tokenUsage: { value } })],
    ['error', (value: object) => buildErrorPayload({ error: 'e', details: { value } })],
  ] as const)('%s', (_, build) => {
    const value = given();
    const payload = build(value);
    const before = JSON.stringify(payload);
    expect(before).toContain('[1]');
    later(value);
    expect(JSON.stringify(payload)).toBe(before);
  });
});
