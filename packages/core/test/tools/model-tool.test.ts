import { expect, it } from 'vitest';
import * as z from 'zod';
import { defineModelTool } from '../../src/tools/model-tool.js';

it('a model tool is called what it is told rather than what its schema says', () => {
  const schema = z.object({}).meta({ id: 'Invoice', description: 'An invoice' });
  expect(defineModelTool(schema)).toMatchObject({ name: 'Invoice', description: 'An invoice' });
  const told = { name: 'bill', description: 'A bill' };
  expect(defineModelTool(schema, told)).toMatchObject(told);
});
