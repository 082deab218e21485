import { describe, expect, it, vi } from 'vitest';
import { getLogger } from '../../../src/logging/logger.js';
import { elicit } from '../../../src/mcp/calls/elicit.js';
import type { ToolQuestion } from '../../../src/tools/reports/tool-reports.js';

async function ask(
  properties: Record<string, unknown>,
  required?: string[],
  answer: (question: ToolQuestion) => unknown = () => 'x',
) {
  const questions: ToolQuestion[] = [];
  const params = { message: 'Who?', requestedSchema: { type: 'object', properties, required } };
  const result = await elicit(params as never, {
    server: 'crm',
    logger: getLogger('test'),
    async ask(question) {
      questions.push(question);
      return answer(question);
    },
  });
  return { result, questions };
}

describe('a form of a server', () => {
  it.each([
    [{ type: 'string' }, { inputType: 'text' }, 'x'],
    [{ type: 'string', format: 'email' }, { inputType: 'email' }, 'a@b.example'],
    [{ type: 'string', enum: ['a', 'b'] }, { inputType: 'choice', choices: ['a', 'b'] }, 'b'],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, { inputType: 'choice', choices: ['a'] }, 'a'],
    [{ type: 'boolean' }, { inputType: 'boolean' }, false],
    [{ type: 'integer' }, { inputType: 'number' }, 1],
    [{ type: 'number' }, { inputType: 'number' }, 1.5],
  ])('asks for %j with the question %j', async (field, question, answer) => {
    const { questions, result } = await ask({ field }, [], () => answer);
    expect(questions).toMatchObject([{ name: 'field', ...question }]);
    expect(result).toEqual({ action: 'accept', content: { field: answer } });
  });

  it('names the server and describes the field in its prompts', async () => {
    const { questions } = await ask({ size: { type: 'string', title: 'Size', description: 'of the shirt' } });
    expect(questions[0]?.prompt).toBe("The MCP server 'crm' asks: Who? (Size: of the shirt)");
  });

  it('asks for its required fields one by one, and returns all answers', async () => {
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
    ['no', { action: 'decline' }],
  ])('without fields is a yes-or-no question: %s results in %j', async (answer, expected) => {
    const { result, questions } = await ask({}, [], () => answer);
    expect(questions).toMatchObject([{ inputType: 'boolean' }]);
    expect(result).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['requires a field that it does not describe', { sure: { type: 'boolean' } }, ['other']],
    ['is too large', { size: { type: 'string', enum: Array(100_000).fill('L') } }, []],
  ])('is declined without a question if it %s', async (_what, properties, required) => {
    expect(await ask(properties, required)).toEqual({ result: { action: 'decline' }, questions: [] });
  });

  it('asks for all fields, at most twenty, if none is required', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `field${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const { result, questions } = await ask(properties, undefined);
    expect(questions.map(({ name }) => name)).toEqual(names);
    expect(result).toMatchObject({ action: 'accept' });
  });

  it.each([
    ['a field of an unsupported type', { list: { type: 'array' } }],
    [
      'more than twenty fields',
      Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`field${at}`, { type: 'string' }])),
    ],
  ])('with %s is declined without a question', async (_what, properties) => {
    const { result, questions } = await ask(properties);
    expect(result).toEqual({ action: 'decline' });
    expect(questions).toEqual([]);
  });

  it.each([
    [{ type: 'integer', minimum: 18 }, [3, 18.5, 40], 40, 'the answer must be >= 18.'],
    [{ type: 'number', maximum: 5 }, [6, 5], 5, 'the answer must be <= 5.'],
    [
      { type: 'string', minLength: 3 },
      ['ab', 'abc'],
      'abc',
      'the answer must NOT have fewer than 3 characters.',
    ],
  ])('repeats a question whose answer violates %j', async (age, answers, taken, why) => {
    const given = [...answers];
    const { result, questions } = await ask({ age }, ['age'], () => given.shift());
    expect(result).toEqual({ action: 'accept', content: { age: taken } });
    expect(questions.map(({ prompt }) => prompt)).toHaveLength(answers.length);
    expect(questions[1]?.prompt).toBe(
      `The MCP server 'crm' asks: Who? (age) Invalid answer (1 of 3): ${why}`,
    );
  });

  it('is cancelled after three invalid answers, to questions that differ for bridges, which drop repeats', async () => {
    const { result, questions } = await ask({ age: { type: 'integer', minimum: 18 } }, ['age'], () => 3);
    expect(result).toEqual({ action: 'cancel' });
    expect(questions).toHaveLength(3);
    expect(new Set(questions.map(({ prompt }) => prompt)).size).toBe(3);
  });

  it('that is a page to visit is declined without a question', async () => {
    const params = { mode: 'url', url: 'https://evil.example', message: 'Sign in', elicitationId: '1' };
    const context = { server: 'crm', logger: getLogger('test'), ask: vi.fn(async () => 'x') };
    expect(await elicit(params as never, context)).toEqual({ action: 'decline' });
    expect(context.ask).not.toHaveBeenCalled();
  });
});
