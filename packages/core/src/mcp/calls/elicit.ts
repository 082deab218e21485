import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Logger } from '../../logging/logger.js';
import { JsonObjectSchema } from '../../tools/input-schema.js';
import type { ToolQuestion } from '../../tools/tool-reports.js';
import { createSchemaCheck, type SchemaCheck } from '../schema/schema-check.js';

/** One field of the form that a server wants filled, as far as people can be asked for it. */
const FieldSchema = z.looseObject({
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  oneOf: z.array(z.looseObject({ const: z.string() })).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
});
type Field = z.infer<typeof FieldSchema>;

const FormSchema = z.looseObject({
  message: z.string(),
  requestedSchema: z.looseObject({
    properties: z.record(z.string(), z.unknown()).default({}),
    required: z.array(z.string()).default([]),
  }),
});

/** So many fields and no more: nobody fills a longer form question by question. */
const MOST_FIELDS = 20;

/** So often a question is put whose answers break the rules of its field. */
const MOST_TRIES = 3;

/** Who asks, and whom. */
export interface FormPlace {
  readonly server: string;
  readonly logger: Logger;
  readonly ask: (question: ToolQuestion) => Promise<unknown>;
}

/**
 * Puts a server's form to a person, question by question: the fields that must be filled, or all when none must. A form
 * without fields is a yes or no. What people cannot be asked for here, such as a page to visit, is declined; where no
 * answer keeps to the field's rules, the form is cancelled.
 */
export async function elicit(
  params: ElicitRequestParams,
  { server, logger, ask }: FormPlace,
): Promise<ElicitResult> {
  const form = FormSchema.safeParse(params).data;
  if (!form) return { action: 'decline' };
  const { properties, required } = form.requestedSchema;
  const intro = `The MCP server '${server}' asks: ${form.message}`;
  const names = Object.keys(properties);
  if (names.length === 0) {
    const isYes = await ask({ name: 'confirm', prompt: intro, inputType: 'boolean' });
    return isYes === true ? { action: 'accept', content: {} } : { action: 'decline' };
  }
  const asked = required.length > 0 ? names.filter((name) => required.includes(name)) : names;
  const fields = asked.map((name) => [name, FieldSchema.safeParse(properties[name]).data] as const);
  if (fields.length > MOST_FIELDS || fields.some(([, field]) => field === undefined))
    return { action: 'decline' };
  const content: Record<string, string | number | boolean> = {};
  for (const [name, field] of fields) {
    if (!field) continue;
    const check = createSchemaCheck(JsonObjectSchema.parse(properties[name]), { tool: name, logger });
    const answer = await askUntilFit(describeQuestion(name, field, intro), ask, check);
    if (answer === undefined) return { action: 'cancel' };
    content[name] = answer;
  }
  return { action: 'accept', content };
}

async function askUntilFit(
  question: ToolQuestion,
  ask: FormPlace['ask'],
  check: SchemaCheck,
): Promise<string | number | boolean | undefined> {
  let { prompt } = question;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = readAnswer(await ask({ ...question, prompt }));
    const problem = await check(answer);
    if (problem === undefined) return answer;
    prompt = `${question.prompt} It does not fit: ${problem.replaceAll(/\bdata\b/g, 'the answer')}.`;
  }
  return undefined;
}

function describeQuestion(name: string, field: Field, intro: string): ToolQuestion {
  const choices = field.enum ?? field.oneOf?.map((choice) => choice.const);
  const what = [field.title ?? name, field.description].filter(Boolean).join(': ');
  const question = { name, prompt: `${intro} (${what})` };
  if (choices) return { ...question, inputType: 'choice', choices };
  if (field.type === 'boolean') return { ...question, inputType: 'boolean' };
  if (field.type === 'number' || field.type === 'integer') return { ...question, inputType: 'number' };
  return { ...question, inputType: field.format === 'email' ? 'email' : 'text' };
}

function readAnswer(answer: unknown): string | number | boolean {
  return typeof answer === 'number' || typeof answer === 'boolean' ? answer : String(answer);
}
