import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from '../../src/decorators/depends-on.js';
import { checkDecorated } from '../../src/decorators/method-decorator.js';
import { dependsOnAwaitFor, requiresProducerReference } from '../../src/decorators/order.js';
import { toolify } from '../../src/decorators/toolify.js';
import type { ScriptedSession } from '../../src/testing/scripted-session.js';
import { startAgent } from '../agent-setup.js';

/** Any value, as a caller without types may pass it. */
function untyped(value: unknown): never {
  return value as never;
}

const base = { name: 'charge', description: 'Charge a card' };

describe('an invalid declaration throws where it is made', () => {
  it.each<[string, () => unknown, string]>([
    ['an interrupt without options', () => dependsOnInterrupt(untyped(undefined)), 'CONFIG_INVALID_OPTION'],
    ['an interrupt without a prompt', () => dependsOnInterrupt(untyped({})), 'TOOL_INVALID_INTERRUPT'],
    ['a blank prompt', () => dependsOnInterrupt({ prompt: ' ' }), 'TOOL_INVALID_INTERRUPT'],
    ['a number as prompt', () => dependsOnInterrupt(untyped({ prompt: 5 })), 'TOOL_INVALID_INTERRUPT'],
    [
      'a string as handler',
      () => dependsOnInterrupt(untyped({ prompt: '?', handler: 'me' })),
      'TOOL_INVALID_INTERRUPT',
    ],
    [
      'a string as choices',
      () => dependsOnInterrupt(untyped({ prompt: '?', choices: 'ab' })),
      'TOOL_INVALID_INTERRUPT',
    ],
    [
      'numbers as choices',
      () => dependsOnInterrupt(untyped({ prompt: '?', choices: [1] })),
      'TOOL_INVALID_INTERRUPT',
    ],
    [
      'a hole in its choices',
      () => dependsOnInterrupt(untyped({ prompt: '?', choices: Object.assign([], { 1: 'a' }) })),
      'TOOL_INVALID_INTERRUPT',
    ],
    [
      'an empty list of choices, which would allow any answer',
      () => dependsOnInterrupt({ prompt: '?', choices: [] }),
      'TOOL_INVALID_INTERRUPT',
    ],
    ['an empty agent name', () => dependsOnAgent(''), 'TOOL_INVALID_REFERENCE'],
    ['an argument name with a space', () => dependsOnTool('a', 'the order'), 'TOOL_INVALID_NAME'],
    ['an object that is not a tool', () => dependsOnTool(untyped({})), 'TOOL_INVALID_REFERENCE'],
    // A function in an array gets no name.
    ['a function without a name', () => dependsOnTool(untyped([() => 1][0])), 'TOOL_INVALID_REFERENCE'],
    [
      'a tool whose name is not a string',
      () => dependsOnTool(untyped({ name: 5 })),
      'TOOL_INVALID_REFERENCE',
    ],
    ['an array of tools to wait for', () => dependsOnAwaitFor(untyped(['a'])), 'TOOL_INVALID_REFERENCE'],
    [
      'a reference whose producer is not a tool',
      () => requiresProducerReference(untyped({ argumentPath: 'a', producer: {} })),
      'TOOL_INVALID_REFERENCE',
    ],
    ['no agent', () => dependsOnAgent(untyped(undefined)), 'TOOL_INVALID_REFERENCE'],
    [
      'a string as the prompt of an agent',
      () => dependsOnAgent('a', untyped({ prompt: 'go' })),
      'CONFIG_INVALID_OPTION',
    ],
    [
      'a number as the kind of a reference',
      () => requiresProducerReference(untyped({ argumentPath: 'a', producer: 'b', referenceKind: 5 })),
      'CONFIG_INVALID_OPTION',
    ],
    ['an object that is not an agent', () => dependsOnAgent(untyped({})), 'TOOL_INVALID_REFERENCE'],
    [
      'a schema of another library',
      () => dependsOnPrivateData(untyped({ key: 'k', schema: { '~standard': { version: 1 } } })),
      'TOOL_INVALID_SCHEMA',
    ],
    [
      'a reference without a path',
      () => toolify({ ...base, order: [requiresProducerReference(untyped({ producer: 'a' }))] }, () => null),
      'TOOL_INVALID_PRODUCER_REFERENCE',
    ],
    ['null as the options of a tool', () => toolify(untyped(null), () => null), 'CONFIG_INVALID_OPTION'],
    [
      'a number as permissions',
      () => toolify({ ...base, permissions: untyped(5) }, () => null),
      'CONFIG_UNKNOWN_PERMISSION',
    ],
    [
      'a number as compose policies',
      () => toolify({ ...base, input: z.object({}), composePolicies: untyped(5) }, () => null),
      'CONFIG_INVALID_OPTION',
    ],
  ])('%s', (_name, make, code) => {
    expect(make).toThrow(expect.objectContaining({ code }));
  });
});

it('a prompt function that does not return a string fails the call', async () => {
  await using setup = await startAgent(async (session: ScriptedSession) => {
    session.finish({ result: await session.callTool('charge') });
  });
  const ok = dependsOnInterrupt({ prompt: () => untyped(undefined), handler: () => 'x' });
  setup.agent.toolify({ ...base, inject: { ok } }, (args) => args.ok);
  await expect(setup.agent.invoke('go')).resolves.toMatchObject({
    result: { status: 'error', error: { code: 'TOOL_INVALID_INTERRUPT' } },
  });
});

it('dependsOnInterrupt with a null argName returns a descriptor', () => {
  const asked = dependsOnInterrupt({ prompt: 'Which?', argName: untyped(null) });
  expect(asked).toMatchObject({ kind: 'interrupt', prompt: 'Which?' });
});

it('an interrupt asks for text and expires after 15 minutes by default', () => {
  expect(dependsOnInterrupt({ prompt: 'Which?' })).toMatchObject({
    inputType: 'text',
    choices: [],
    expiresInMs: 900_000,
  });
});

it('a required reference is a composition_reference by default', () => {
  const control = requiresProducerReference({ argumentPath: 'text', producer: 'compose' });
  expect(control.referenceKind).toBe('composition_reference');
});

it('refuses to decorate a getter', () => {
  const context = { kind: 'getter', name: 'size', private: false, static: false };
  expect(() => checkDecorated('toolify', untyped(context))).toThrow("got a getter member 'size'");
});

it('reports a decorator that was compiled with experimentalDecorators', () => {
  expect(() => toolify({ description: 'Find' })(() => 1, untyped('find'))).toThrow(
    /@toolify .*'find'.*experimentalDecorators.*swc.*decoratorVersion: '2023-11'/,
  );
});
