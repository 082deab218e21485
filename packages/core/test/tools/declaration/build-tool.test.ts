import { expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnPrivateData } from '../../../src/decorators/depends-on.js';
import { toolify } from '../../../src/decorators/toolify.js';

const make = (options: object) => toolify({ name: 't', description: 't', ...options }, () => null);

it('a tool name may have up to 64 characters', () => {
  expect(make({ name: 'n'.repeat(64) }).name).toHaveLength(64);
  expect(() => make({ name: 'n'.repeat(65) })).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID_NAME' }),
  );
});

it('refuses an injected argument whose name contains a dash', () => {
  expect(() => make({ inject: { 'my-key': dependsOnPrivateData('key') } })).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID_NAME' }),
  );
});

it.each([
  ['a tool itself', make({})],
  ['a value', 'tok_9f31'],
  ['a decorator', dependsOnPrivateData('key', 'argument')],
])('refuses to inject %s and names the functions whose results can be injected', (_, injected) => {
  expect(() => make({ inject: { argument: injected } })).toThrow(
    /dependsOnTool\(\), dependsOnAgent\(\), dependsOnPrivateData\(\) or dependsOnInterrupt\(\)/,
  );
});

it('trims whitespace around a description', () => {
  expect(make({ description: '\n  Find an order.\n' }).description).toBe('Find an order.');
});

it.each([0, -1, 1.5, Number.POSITIVE_INFINITY])('refuses a maxResultBytes of %d', (maxResultBytes) => {
  expect(() => make({ maxResultBytes })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }));
});

it('an empty compose policy allows composing without approval', () => {
  const { composePolicies } = make({ input: z.object({ text: z.string() }), composePolicies: { text: {} } });
  expect([...composePolicies]).toEqual([['text', { mode: 'allow', approval: 'none' }]]);
});
