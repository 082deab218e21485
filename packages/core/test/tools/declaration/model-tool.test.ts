import { expect, it } from 'vitest';
import * as z from 'zod';
import { defineModelTool } from '../../../src/tools/declaration/model-tool.js';

it('name and description options of a model tool override those of its schema', () => {
  const schema = z.object({}).meta({ id: 'Invoice', description: 'An invoice' });
  expect(defineModelTool(schema)).toMatchObject({ name: 'Invoice', description: 'An invoice' });
  const options = { name: 'bill', description: 'A bill' };
  expect(defineModelTool(schema, options)).toMatchObject(options);
});
