import type { JsonObject } from '@svc/contracts';
import { expect, it } from 'vitest';
import { modelSchema } from '../../../src/planning/policy/model-schema.js';

const nothing = () => undefined;

it('keeps references within the schema, also to its root, and drops dangling ones', () => {
  const schema = {
    $defs: { leaf: { type: 'string' } },
    properties: { next: { $ref: '#' }, leaf: { $ref: '#/$defs/leaf' }, gone: { $ref: '#/$defs/gone' } },
  };
  const properties = { next: { $ref: '#' }, leaf: { $ref: '#/$defs/leaf' }, gone: {} };
  expect(modelSchema(schema, nothing)).toEqual({ ...schema, properties });
});

it('inlines a self-referencing model only a few times', () => {
  const node: JsonObject = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
  const text = JSON.stringify(modelSchema(node, (name) => (name === 'Node' ? node : undefined)));
  expect(text.split('"next"').length - 1).toBeGreaterThan(1);
  expect(text.split('"next"').length - 1).toBeLessThan(13);
});
