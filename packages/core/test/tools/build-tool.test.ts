import { expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { toolify } from '../../src/decorators/toolify.js';

const make = (options: object) => toolify({ name: 't', description: 't', ...options }, () => null);

it('a name has up to 64 characters', () => {
  expect(make({ name: 'n'.repeat(64) }).name).toHaveLength(64);
  expect(() => make({ name: 'n'.repeat(65) })).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID_NAME' }),
  );
});

it('an injected argument has a name that every model can carry', () => {
  expect(() => make({ inject: { 'my-key': dependsOnPrivateData('key') } })).toThrow(
    expect.objectContaining({ code: 'TOOL_INVALID_NAME' }),
  );
});

it.each([
  ['a tool itself', make({})],
  ['a value', 'tok_9f31'],
  ['what decorators take', dependsOnPrivateData('key', 'argument')],
])('a refusal to inject %s names what can be', (_, injected) => {
  expect(() => make({ inject: { argument: injected } })).toThrow(
    /dependsOnTool\(\), dependsOnAgent\(\), dependsOnPrivateData\(\) or dependsOnInterrupt\(\)/,
  );
});

it('the blanks around a description are not told', () => {
  expect(make({ description: '\n  Find an order.\n' }).description).toBe('Find an order.');
});

it.each([0, -1, 1.5, Number.POSITIVE_INFINITY])('a result of %d bytes is no limit', (maxResultBytes) => {
  expect(() => make({ maxResultBytes })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }));
});

it('a compose policy that says nothing allows without asking', () => {
  const { composePolicies } = make({ input: z.object({ text: z.string() }), composePolicies: { text: {} } });
  expect([...composePolicies]).toEqual([['text', { mode: 'allow', approval: 'none' }]]);
});
