import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readerAudience } from '../../src/audience/audience.js';
import { sanitizeData } from '../../src/audience/sanitize.js';

const generic = 'An internal error occurred. Please try again.';
const inside = 'Traceback at /srv/x.py';
const thrown = { name: 'Error', message: inside };

describe('an error message', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['tool_event', { error: inside, tool: { error: inside } }, { error: generic, tool: { error: generic } }],
    [
      'agent_assignment',
      { error: inside, assignment: { error: inside } },
      { error: generic, assignment: { error: generic } },
    ],
    ['hook_fired', { error: inside, hook: { error: inside } }, { error: generic, hook: { error: generic } }],
    ['system_tool_error', { error: inside }, { error: generic }],
    [
      'final',
      { error: inside, error_info: { message: inside, code: 'X', details: { at: '/srv' } } },
      { error: generic, error_info: { message: generic, code: 'X', details: {} } },
    ],
    ['custom', { error_info: { message: inside } }, { error_info: { message: generic } }],
    [
      'final',
      { error_info: { message: 'Too long', stack: inside, cause: thrown, frames: [1], retries: 3 } },
      { error_info: { message: 'Too long', stack: generic, cause: {}, frames: [], retries: 3 } },
    ],
    [
      'tool_event',
      { tool: { message: inside }, assignment: { message: inside }, hook: { message: thrown } },
      { tool: { message: generic }, assignment: { message: generic }, hook: { message: generic } },
    ],
    ['tool_event', { error: thrown, tool: { error: thrown } }, { error: generic, tool: { error: generic } }],
    ['system_tool_error', { error: [inside] }, { error: generic }],
    ['system_tool_error', { error_info: inside }, { error_info: generic }],
    ['custom', { error_info: [thrown] }, { error_info: generic }],
    [
      'tool_event',
      { error_info: null, tool: { error: 'No such city' } },
      { error_info: null, tool: { error: 'No such city' } },
    ],
    [
      'error',
      { error: thrown, error_info: { message: thrown } },
      { error: generic, error_info: { message: generic } },
    ],
    ['hook_fired', { error: null, hook: { error: null } }, { error: null, hook: { error: null } }],
  ])('of %s is made safe, flat and nested (case %#)', (type, data, expected) => {
    expect(sanitizeData(type, data)).toEqual(expected);
  });

  it('of an error event is made safe, and so are its details and unknown fields', () => {
    const data = {
      error: inside,
      details: { path: '/srv' },
      error_info: { message: inside, details: { a: 1 }, code: 'LIMIT', stack: inside, frames: [1] },
      trace: inside,
      hint: 'Try later',
      context: { host: 'db-1' },
      retries: 3,
      scope: { type: 'agent', name: 'A' },
    };
    expect(sanitizeData('error', data)).toEqual({
      error: generic,
      details: {},
      error_info: { message: generic, details: {}, code: 'LIMIT', stack: generic, frames: [] },
      trace: generic,
      hint: 'Try later',
      context: {},
      retries: 3,
      scope: { type: 'agent', name: 'A' },
    });
  });

  it('of an error event leaves its context readable', () => {
    const data = {
      scope: { type: 'agent', name: 'A' },
      participant: { key: 'p' },
      lifecycle: { phase: 'failed' },
      session: { id: 's' },
    };
    expect(sanitizeData('error', data)).toBe(data);
  });

  it.each(['assistant_chunk', 'status_message', 'interrupt_required', 'final', 'custom'])(
    'is not searched for in the free text of %s',
    (type) => {
      const data = {
        text: '/etc/passwd',
        message: '/etc',
        prompt: '/etc',
        response: '/etc',
        status: { message: '/etc' },
      };
      expect(sanitizeData(type, data)).toBe(data);
    },
  );

  it('of a custom event is left unchanged outside the descriptors', () => {
    const data = { error: inside, details: { a: 1 }, tool: { message: 'Reading /etc/hosts' } };
    expect(sanitizeData('custom', data)).toBe(data);
  });

  it.each(['tool', 'assignment', 'hook'])('of a custom event is made safe in its %s descriptor', (name) => {
    expect(sanitizeData('custom', { [name]: { error: inside, message: inside } })).toEqual({
      [name]: { error: generic, message: inside },
    });
  });
});

const text = fc.constantFrom(
  'ok',
  inside,
  'Agent execution failed: Agent execution failed: why',
  'agent execution failed:',
  '  padded ',
  'LLM payload contains private data values: /x',
  '',
);
const anything = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(1, 1.5, true, null),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'error',
        'message',
        'details',
        'tool',
        'hook',
        'error_info',
        'args',
        'result',
        'private_data_injected',
        'added_private_data',
        'matched_known_pii_values',
        'x',
      ),
      tie('node'),
      { maxKeys: 4 },
    ),
  ),
})).node;
const data = fc.dictionary(
  fc.constantFrom(
    'error',
    'message',
    'details',
    'tool',
    'hook',
    'error_info',
    'assignment',
    'result',
    'redaction',
    'private_data_injected',
    'trace',
    '__proto__',
  ),
  anything,
  { noNullPrototype: true },
);
const type = fc.constantFrom(
  'error',
  'tool_event',
  'agent_assignment',
  'enrichment',
  'hook_fired',
  'final',
  'custom',
);

/** Returns every string and key in a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...leavesOf(item),
  ]);
}

describe('sanitizeData', () => {
  it('changes nothing when applied again', () => {
    fc.assert(
      fc.property(type, data, (name, payload) => {
        const once = sanitizeData(name, payload);
        expect(sanitizeData(name, once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('only removes: every remaining string was in the input or is one of the fixed ones', () => {
    const fixed = new Set([generic, '<redacted>', 'str', 'int', 'float', 'bool']);
    fc.assert(
      fc.property(type, data, (name, payload) => {
        const before = leavesOf(payload);
        for (const left of leavesOf(sanitizeData(name, payload))) {
          expect(fixed.has(left) || before.some((given) => given.includes(left))).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('never changes its input', () => {
    fc.assert(
      fc.property(type, data, (name, payload) => {
        const before = JSON.stringify(payload);
        sanitizeData(name, payload);
        expect(JSON.stringify(payload)).toBe(before);
      }),
    );
  });
});

describe('the audience of a reader', () => {
  it.each([
    ['internal', undefined, 'internal'],
    ['internal', 'internal', 'internal'],
    ['internal', 'frontend_safe', 'frontend_safe'],
    ['frontend_safe', undefined, 'frontend_safe'],
    ['frontend_safe', 'internal', 'frontend_safe'],
  ] as const)('for bridge audience %s and requested audience %s is %s', (ofBridge, asked, expected) => {
    expect(readerAudience(ofBridge, asked)).toBe(expected);
  });
});
