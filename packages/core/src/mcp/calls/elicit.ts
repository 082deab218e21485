import type { ElicitResult } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { Logger } from '../../logging/logger.js';
import { JsonObjectSchema } from '../../tools/declaration/input-schema.js';
import type { ToolQuestion } from '../../tools/reports/tool-reports.js';
import { createSchemaCheck, type SchemaCheck } from '../schema/schema-check.js';

/** A field of a server's form, of the types that people can be asked for. */
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

/** The maximum number of fields: nobody fills in a longer form question by question. */
const MAX_FIELDS = 20;

/** The largest form, in characters of JSON. */
const MAX_FORM_LENGTH = 256 * 1024;

/** How often a question is asked while its answers break the rules of its field. */
const MAX_TRIES = 3;

/** The asking server, and the function that asks a person. */
export interface FormContext {
  readonly server: string;
  readonly logger: Logger;
  readonly ask: (question: ToolQuestion) => Promise<unknown>;
}

/**
 * Asks a person to fill in a server's form, question by question: the required fields, or all if none is required. A form
 * without fields is a yes-or-no question. Unsupported requests, such as a page to visit, are declined; if no answer follows
 * the field's rules, the form is cancelled.
 */
export async function elicit(params: unknown, { server, logger, ask }: FormContext): Promise<ElicitResult> {
  // Before it is parsed, because the faults of a huge form would fill the memory.
  const isTooLarge = JSON.stringify(params ?? null).length > MAX_FORM_LENGTH;
  const form = isTooLarge ? undefined : FormSchema.safeParse(params).data;
  if (!form) return { action: 'decline' };
  const { properties } = form.requestedSchema;
  const required = new Set(form.requestedSchema.required);
  const intro = `The MCP server '${server}' asks: ${form.message}`;
  const names = Object.keys(properties);
  const askedNames = required.size > 0 ? names.filter((name) => required.has(name)) : names;
  // Nobody can fill in a field that is not described, and nothing is accepted that nobody was asked for.
  if (askedNames.length < required.size || askedNames.length > MAX_FIELDS) return { action: 'decline' };
  if (names.length === 0) {
    const isYes = await ask({ name: 'confirm', prompt: intro, inputType: 'boolean' });
    return isYes === true ? { action: 'accept', content: {} } : { action: 'decline' };
  }
  const fields = askedNames.map((name) => [name, FieldSchema.safeParse(properties[name]).data] as const);
  if (fields.some(([, field]) => field === undefined)) return { action: 'decline' };
  const content: Record<string, string | number | boolean> = {};
  for (const [name, field] of fields) {
    if (!field) continue;
    const check = createSchemaCheck(JsonObjectSchema.parse(properties[name]), { tool: name, logger });
    const answer = await askUntilValid(describeQuestion(name, field, intro), ask, check);
    if (answer === undefined) return { action: 'cancel' };
    content[name] = answer;
  }
  return { action: 'accept', content };
}

async function askUntilValid(
  question: ToolQuestion,
  ask: FormContext['ask'],
  check: SchemaCheck,
): Promise<string | number | boolean | undefined> {
  let { prompt } = question;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const answer = readAnswer(await ask({ ...question, prompt }));
    const problem = await check(answer);
    if (problem === undefined) return answer;
    // With the number, the same mistake does not make the same question, which a bridge would drop as a repeat.
    const what = `Invalid answer (${tries} of ${MAX_TRIES})`;
    prompt = `${question.prompt} ${what}: ${problem.replaceAll(/\bdata\b/g, 'the answer')}.`;
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
