import { describe, expect, it } from 'vitest';
import { elicit } from '../../src/mcp/elicit.js';
import type { ToolQuestion } from '../../src/tools/tool-reports.js';

async function ask(
  properties: Record<string, unknown>,
  required: string[] = [],
  answer: (question: ToolQuestion) => unknown = () => 'x',
) {
  const questions: ToolQuestion[] = [];
  const params = { message: 'Who?', requestedSchema: { type: 'object', properties, required } };
  const result = await elicit('crm', params as never, async (question) => {
    questions.push(question);
    return answer(question);
  });
  return { result, questions };
}

describe('a form of a server', () => {
  it.each([
    [{ type: 'string' }, { inputType: 'text' }],
    [{ type: 'string', format: 'email' }, { inputType: 'email' }],
    [
      { type: 'string', enum: ['a', 'b'] },
      { inputType: 'choice', choices: ['a', 'b'] },
    ],
    [
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      { inputType: 'choice', choices: ['a'] },
    ],
    [{ type: 'boolean' }, { inputType: 'boolean' }],
    [{ type: 'integer' }, { inputType: 'number' }],
    [{ type: 'number' }, { inputType: 'number' }],
  ])('asks for %j by %j', async (field, question) => {
    expect((await ask({ field })).questions).toMatchObject([{ name: 'field', ...question }]);
  });

  it('says who asks, and what for', async () => {
    const { questions } = await ask({ size: { type: 'string', title: 'Size', description: 'of the shirt' } });
    expect(questions[0]?.prompt).toBe("The MCP server 'crm' asks: Who? (Size: of the shirt)");
  });

  it('asks for what must be filled, one by one, and gives the answers together', async () => {
    const properties = { name: { type: 'string' }, age: { type: 'integer' }, note: { type: 'string' } };
    const { result, questions } = await ask(properties, ['name', 'age'], ({ name }) =>
      name === 'age' ? 36 : 'Ada',
    );
    expect(questions.map(({ name }) => name)).toEqual(['name', 'age']);
    expect(result).toEqual({ action: 'accept', content: { name: 'Ada', age: 36 } });
  });

  it.each([
    [true, { action: 'accept', content: {} }],
    [false, { action: 'decline' }],
  ])('without fields is a question whose answer %s means %j', async (answer, expected) => {
    const { result, questions } = await ask({}, [], () => answer);
    expect(questions).toMatchObject([{ inputType: 'boolean' }]);
    expect(result).toEqual(expected);
  });

  it.each([
    ['fields nobody can be asked for', { list: { type: 'array' } }],
    [
      'too many fields',
      Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`field${at}`, { type: 'string' }])),
    ],
  ])('with %s is declined without a question', async (_what, properties) => {
    const { result, questions } = await ask(properties);
    expect(result).toEqual({ action: 'decline' });
    expect(questions).toEqual([]);
  });

  it('that is a page to visit is declined', async () => {
    const params = { mode: 'url', url: 'https://evil.example', message: 'Sign in', elicitationId: '1' };
    expect(await elicit('crm', params as never, async () => 'x')).toEqual({ action: 'decline' });
  });
});
