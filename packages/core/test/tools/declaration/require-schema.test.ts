import { describe, expect, it } from 'vitest';
import * as mini from 'zod/mini';
import { Agent, dependsOnPrivateData, toolify } from '../../../src/index.js';

const agent = new Agent({ name: 'clerk', apiKey: 'key' });
const tool = { name: 'find', description: 'Find' };

/** What JavaScript may pass although it does not compile. */
const schema = mini.object({ id: mini.string() }) as never;

describe('a schema of zod/mini is refused, as it does not compile', () => {
  it.each([
    ['as an input', () => toolify({ ...tool, input: schema }, () => 1), 'TOOL_INVALID_SCHEMA'],
    [
      'as an output',
      () => toolify({ ...tool, output: schema }, () => ({ id: '1' }) as never),
      'TOOL_INVALID_SCHEMA',
    ],
    ['as the answer of a run', () => agent.structuredOutput(schema), 'TOOL_INVALID_SCHEMA'],
    ['of a private value', () => dependsOnPrivateData({ key: 'k', schema }), 'TOOL_INVALID_SCHEMA'],
    ['as a model tool', () => agent.addTool(schema), 'TOOL_INVALID'],
  ])('%s', (_as, declare, code) => {
    expect(declare).toThrow(expect.objectContaining({ code, message: expect.stringContaining('zod/mini') }));
  });
});
