import { describe, expect, it } from 'vitest';
import { CallResultSchema, readCallResult } from '../../../src/mcp/calls/call-result.js';

const rules = { server: 'files', tool: 'read', raiseToolErrors: false, softErrorKeys: ['error', 'errors'] };
const text = (value: string) => ({ type: 'text', text: value });
const read = (result: unknown, more: Partial<typeof rules> = {}) =>
  readCallResult(CallResultSchema.parse(result), { ...rules, ...more });

describe('a result', () => {
  it.each([
    [{ content: [text('hello')] }, { is_error: false, content: [text('hello')] }],
    [
      { content: [], structuredContent: { n: 1 } },
      { is_error: false, structured_content: { n: 1 } },
    ],
    [{}, { is_error: false }],
    [{ structuredContent: null, isError: null }, { is_error: false }],
    [
      { content: [{ ...text('x'), _meta: { trace: 1 } }], _meta: {} },
      { is_error: false, content: [text('x')] },
    ],
    [
      { content: [text('no such file')], isError: true },
      { is_error: true, content: [text('no such file')] },
    ],
  ])('%j becomes %j', (result, expected) => {
    expect(read(result)).toEqual(expected);
  });

  it.each([
    ['structured content', { structuredContent: { error: 'quota used up' } }, 'quota used up', ['error']],
    [
      'a text that is a JSON object',
      { content: [text('\n {"errors": [{"message": "a"}]}')] },
      '[{"message":"a"}]',
      ['errors'],
    ],
    [
      'an error object with a message',
      { structuredContent: { error: { code: 5, message: 'no paper' } } },
      'no paper',
      ['error'],
    ],
  ])('has a soft error from %s', (_where, result, message, keys) => {
    expect(read(result)).toMatchObject({ is_error: false, soft_error: { message, keys } });
  });

  it('has a soft error with a message of up to 1,000 characters', () => {
    const error = 'x'.repeat(1_000);
    expect(read({ structuredContent: { error } })).toMatchObject({ soft_error: { message: error } });
  });

  it('has a soft error without its message if it is longer, as a cut could split a private value', () => {
    expect(read({ structuredContent: { error: 'x'.repeat(1_001) } })).toMatchObject({
      soft_error: { message: 'The message is too long to repeat here; see the result.', keys: ['error'] },
    });
  });

  it.each([
    [{ structuredContent: { error: null, errors: [] } }],
    [{ structuredContent: { error: '' } }],
    [{ structuredContent: { error: false } }],
    [{ structuredContent: { error: 0 } }],
    [{ content: [text('{"error": ')] }],
    [{ content: [text('error: none')] }],
    [{ content: [text('{"error": "x"}'), text('second')] }],
    [{ structuredContent: { problem: 'other name' } }],
    [{ structuredContent: { error: 'already marked' }, isError: true }],
  ])('%j has no soft error', (result) => {
    expect(read(result)).not.toHaveProperty('soft_error');
  });

  it('is searched for the fields in softErrorKeys', () => {
    expect(
      read({ structuredContent: { problem: 'x', error: 'y' } }, { softErrorKeys: ['problem'] }),
    ).toMatchObject({
      soft_error: { message: 'x', keys: ['problem'] },
    });
  });

  it.each([
    [[text('no such file'), { type: 'image' }, text('at all')], 'failed: no such file\nat all'],
    [[{ type: 'image' }], 'failed: no reason was given'],
  ])('of %j marked as an error throws with raiseToolErrors', (content, message) => {
    expect(() => read({ content, isError: true }, { raiseToolErrors: true })).toThrow(
      expect.objectContaining({ code: 'MCP_TOOL_FAILED', message: expect.stringContaining(message) }),
    );
  });
});

it('reports a result of many invalid blocks as one problem', () => {
  const content = Array.from({ length: 10_000 }, () => ({ text: 'no type' }));
  const { error } = CallResultSchema.safeParse({ content });
  expect(error?.message.length).toBeLessThan(1000);
});
