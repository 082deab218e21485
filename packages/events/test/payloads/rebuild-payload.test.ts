import { KNOWN_FAMILY_NAMES } from '@svc/contracts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rebuildPayload } from '../../src/payloads/rebuild-payload.js';
import { arbitraryFamily, arbitraryPayload } from './arbitrary-payload.ts';

describe('rebuildPayload', () => {
  test('returns the same when it rebuilds its own result', () => {
    fc.assert(
      fc.property(arbitraryFamily, arbitraryPayload, (family, payload) => {
        const once = rebuildPayload(family, payload);
        expect(JSON.stringify(rebuildPayload(family, once))).toBe(JSON.stringify(once));
      }),
      { numRuns: 2_000 },
    );
  });

  test('does not change its input and keeps all its keys', () => {
    fc.assert(
      fc.property(arbitraryFamily, arbitraryPayload, (family, payload) => {
        const before = JSON.stringify(payload);
        const built = rebuildPayload(family, payload);
        expect(JSON.stringify(payload)).toBe(before);
        expect(Object.keys(payload).filter((key) => !Object.hasOwn(built, key))).toEqual([]);
      }),
    );
  });

  test.each(KNOWN_FAMILY_NAMES)(
    'keeps unknown fields of %s, at the top level and in its descriptors',
    (family) => {
      const descriptors = [
        'tool',
        'lifecycle',
        'assistant',
        'status',
        'assignment',
        'enrichment',
        'interrupt',
        'output',
        'error_info',
        'chunk',
      ];
      const input = {
        ...Object.fromEntries(descriptors.map((key) => [key, { extra: key }])),
        participant: { extra: 'participant' },
        agent_name: 'A',
        scope: { extra: 'scope' },
        extra: 'top',
      };
      const built = rebuildPayload(family, input);
      expect(built.extra).toBe('top');
      for (const key of [...descriptors, 'participant', 'scope']) {
        if (typeof built[key] === 'object') expect(built[key]).toMatchObject({ extra: key });
      }
    },
  );

  test('returns the payload of an unknown event unchanged', () => {
    const payload = { anything: 1 };
    expect(rebuildPayload('custom', payload)).toBe(payload);
    expect(rebuildPayload('constructor', payload)).toBe(payload);
  });

  test.each(KNOWN_FAMILY_NAMES)(
    'pollutes no prototype when %s contains __proto__ and constructor',
    (family) => {
      const hostile = '{"polluted":true}';
      const payload: Record<string, unknown> = JSON.parse(
        `{"__proto__":${hostile},"constructor":{"prototype":${hostile}},"tool":{"__proto__":${hostile}},` +
          `"assistant":{"__proto__":${hostile}},"args":{"__proto__":${hostile}},"scope":{"__proto__":${hostile}}}`,
      );
      const built = rebuildPayload(family, payload);
      expect(Object.getPrototypeOf(built)).toBe(Object.prototype);
      expect('polluted' in built).toBe(false);
      expect('polluted' in {}).toBe(false);
      expect(Object.hasOwn(built, '__proto__')).toBe(true);
      expect(Object.hasOwn(built, 'constructor')).toBe(true);
      for (const key of ['tool', 'assistant', 'args', 'scope'])
        expect('polluted' in Object(built[key])).toBe(false);
    },
  );
});

describe('in a rebuilt payload', () => {
  test('a swarm named by flat fields does not get the id of an agent scope', () => {
    const built = rebuildPayload('tool_event', {
      tool_id: 't',
      tool_name: 'n',
      swarm_name: 'S',
      scope: { type: 'agent', name: 'A', id: 'a-1', tenant: 'x' },
    });
    expect(built.scope).toEqual({ type: 'swarm', name: 'S', tenant: 'x' });
  });

  test('a scope that names the same swarm keeps its id', () => {
    const built = rebuildPayload('tool_event', {
      tool_id: 't',
      tool_name: 'n',
      swarm_name: 'S',
      scope: { type: 'swarm', name: 'S', id: 's-1' },
    });
    expect(built.scope).toEqual({ type: 'swarm', name: 'S', id: 's-1' });
  });

  test('an enrichment without flat scope fields takes its scope from the descriptor', () => {
    const built = rebuildPayload('enrichment', {
      phase: 'p',
      message: 'm',
      scope: { id: 'x', name: 'n', type: 'agent' },
    });
    expect(built).toMatchObject({
      scope_id: 'x',
      scope_name: 'n',
      scope_type: 'agent',
      scope: { id: 'x', name: 'n', type: 'agent' },
    });
  });

  test('a single flat scope field overrides the whole scope descriptor of an enrichment', () => {
    const built = rebuildPayload('enrichment', {
      phase: 'p',
      message: 'm',
      scope_name: 'flat',
      scope: { id: 'x', name: 'n', type: 'agent' },
    });
    expect(built.scope_id).toBeUndefined();
    expect(built.scope).toEqual({ name: 'flat' });
  });

  test('the id of a tool or an assignment is read from either field, `id` first', () => {
    expect(rebuildPayload('tool_event', { tool: { tool_id: 'b' } }).tool_id).toBe('b');
    expect(rebuildPayload('tool_event', { tool: { id: 'a', tool_id: 'b' } }).tool).toMatchObject({
      id: 'a',
      tool_id: 'a',
    });
    expect(rebuildPayload('agent_assignment', { assignment: { assignment_id: 'b' } }).assignment_id).toBe(
      'b',
    );
    expect(
      rebuildPayload('agent_assignment', { assignment: { id: 'a', assignment_id: 'b' } }).assignment,
    ).toMatchObject({ id: 'a', assignment_id: 'a' });
  });

  test('a chunk that replaces text has replace_content both flat and nested', () => {
    const built = rebuildPayload('assistant_chunk', { assistant: { delta: 'x', replace_content: true } });
    expect(built).toMatchObject({ replace_content: true, assistant: { replace_content: true } });
  });

  test('the counters of an interrupt are whole numbers', () => {
    const built = rebuildPayload('interrupt_required', {
      interrupt_number: true,
      total_interrupts: 1.5,
      interrupt: { number: 3, total: '4' },
    });
    expect(built).toMatchObject({ interrupt_number: 3, total_interrupts: 1 });
  });
});
