import * as z from 'zod';
import { refuseUnknownOptions } from '../config/options.js';
import type { InterruptInputType } from '../interrupts/input-type.js';
import type { InterruptHandler } from '../interrupts/interrupt-service.js';
import { declarationError, parseName } from './declaration-error.js';
import type {
  AgentInjection,
  AgentReference,
  AgentResult,
  InterruptInjection,
  PrivateDataInjection,
  ToolInjection,
} from './injection.js';
import type {
  AwaitControl,
  InstanceControl,
  OrderTiming,
  ProducerReferenceControl,
  ReevaluateControl,
} from './order-control.js';
import { invalidInterrupt, parseQuestion, parseQuestionText } from './question.js';
import type { ToolReference } from './tool-reference.js';

/** What `dependsOnAgent` takes besides the agent. */
export interface AgentDependencyOptions {
  /** What the agent is asked when the planner has not asked it. @default what the run itself was asked */
  prompt?: ((args: Readonly<Record<string, unknown>>) => string) | undefined;
}

/** A private value by its name and the schema its value must meet. */
export interface PrivateDataSelector<Schema extends z.ZodType = z.ZodType> {
  key: string;
  schema: Schema;
}

/** What `dependsOnInterrupt` takes. */
export interface InterruptOptions<
  Type extends InterruptInputType = InterruptInputType,
  Choice extends string = string,
> {
  /** The question; a function gets what the planner filled. */
  prompt: string | ((args: Readonly<Record<string, unknown>>) => string);
  /** @default 'choice' with choices, else 'text' */
  inputType?: Type | undefined;
  /** The allowed answers of a choice. */
  choices?: readonly Choice[] | undefined;
  /** Answers in this process, instead of a service or a person elsewhere. */
  handler?: InterruptHandler | undefined;
  /** How long the question stays open, in milliseconds. @default 900000 */
  expiresInMs?: number | undefined;
}

/** The type of an answer. */
export type AnswerOf<Type extends InterruptInputType, Choice extends string> = Type extends 'boolean'
  ? boolean
  : Type extends 'number'
    ? number
    : Type extends 'choice'
      ? Choice
      : string;

/** What `dependsOnAwaitFor` and `dependsOnReevaluate` take besides the tool. */
export interface OrderOptions {
  /** Whether the declaring tool runs after the other one, or before it. @default 'after' */
  timing?: OrderTiming | undefined;
  /** Whether the n-th call waits for the n-th call of the other tool, or for every one. @default 'each' */
  instanceControl?: InstanceControl | undefined;
}

/** What `requiresProducerReference` takes. */
export interface ProducerReferenceOptions {
  /** The argument, or a field in it, such as `report.source_id`. */
  argumentPath: string;
  /** The tool that makes the reference. */
  producer: ToolReference;
  /** What kind of reference it is. @default 'composition_reference' */
  referenceKind?: string | undefined;
}

/** The result of a tool as an injected argument. */
export function describeToolDependency(tool: ToolReference): ToolInjection {
  return { kind: 'tool', tool: parseReference(tool) };
}

/** The answer of an agent as an injected argument. */
export function describeAgentDependency(
  agent: AgentReference | string,
  options: AgentDependencyOptions = {},
): AgentInjection<AgentResult> {
  refuseUnknownOptions(options, ['prompt'], 'dependsOnAgent');
  if (!isAgentReference(agent)) {
    throw declarationError(
      'TOOL_INVALID_REFERENCE',
      `dependsOnAgent names an agent or an agent's name, not ${typeof agent}.`,
    );
  }
  return { kind: 'agent', agent, prompt: options.prompt };
}

function isAgentReference(agent: unknown): boolean {
  if (typeof agent === 'string') return agent !== '';
  return typeof agent === 'object' && agent !== null && 'id' in agent && 'name' in agent;
}

/** A private value as an injected argument. */
export function describePrivateDataDependency(selector: string | PrivateDataSelector): PrivateDataInjection {
  if (typeof selector === 'object') refuseUnknownOptions(selector, ['key', 'schema'], 'dependsOnPrivateData');
  const key = typeof selector === 'string' ? selector : selector?.key;
  if (typeof key !== 'string' || key.trim() === '') {
    throw declarationError(
      'TOOL_INVALID_DATA_KEY',
      'dependsOnPrivateData needs the name of a private value.',
    );
  }
  const schema = typeof selector === 'string' ? undefined : (selector.schema ?? undefined);
  if (schema !== undefined && !(schema instanceof z.core.$ZodType)) {
    throw declarationError(
      'TOOL_INVALID_SCHEMA',
      `The schema of the private value '${key}' must be a schema of zod 4.`,
    );
  }
  return { kind: 'private_data', dataKey: key, schema };
}

/** A person's answer as an injected argument. */
export function describeInterruptDependency(options: InterruptOptions): InterruptInjection {
  refuseUnknownOptions(
    options,
    ['prompt', 'inputType', 'choices', 'handler', 'expiresInMs'],
    'dependsOnInterrupt',
  );
  const { prompt } = options;
  const handler = options.handler ?? undefined;
  if (handler !== undefined && typeof handler !== 'function')
    throw invalidInterrupt('dependsOnInterrupt takes a function as handler.');
  return {
    kind: 'interrupt',
    prompt:
      typeof prompt === 'function'
        ? (args) => parseQuestionText(prompt(args), 'prompt', 'dependsOnInterrupt')
        : parseQuestionText(prompt, 'prompt', 'dependsOnInterrupt'),
    handler,
    ...parseQuestion(options, 'dependsOnInterrupt'),
  };
}

/** An order between two tools. */
export function describeAwaitFor(tool: ToolReference, options: OrderOptions = {}): AwaitControl {
  return { kind: 'await_for', tool: parseReference(tool), ...parseOrder('dependsOnAwaitFor', options) };
}

/** A boundary between two tools at which planning looks at results first. */
export function describeReevaluate(tool: ToolReference, options: OrderOptions = {}): ReevaluateControl {
  return { kind: 'reevaluate', tool: parseReference(tool), ...parseOrder('dependsOnReevaluate', options) };
}

function parseOrder(owner: string, options: OrderOptions): Required<OrderOptions> {
  refuseUnknownOptions(options, ['timing', 'instanceControl'], owner);
  const timing = options.timing ?? 'after';
  const instanceControl = options.instanceControl ?? 'each';
  if (!['after', 'before'].includes(timing) || !['each', 'all'].includes(instanceControl)) {
    throw declarationError(
      'TOOL_INVALID_ORDER',
      `${owner} takes a timing of 'after' or 'before' and an instanceControl of 'each' or 'all'.`,
    );
  }
  return { timing, instanceControl };
}

/** An argument that must carry what another tool made. */
export function describeProducerReference(options: ProducerReferenceOptions): ProducerReferenceControl {
  const known = ['argumentPath', 'producer', 'referenceKind'];
  refuseUnknownOptions(options, known, 'requiresProducerReference');
  const { argumentPath, producer } = options;
  const referenceKind = options.referenceKind ?? 'composition_reference';
  return { kind: 'producer_reference', argumentPath, producer: parseReference(producer), referenceKind };
}

function parseReference(reference: ToolReference): ToolReference {
  if (typeof reference === 'string') return parseName(reference, 'A referenced tool');
  if (typeof reference === 'function' || (typeof reference === 'object' && reference !== null))
    return reference;
  throw declarationError(
    'TOOL_INVALID_REFERENCE',
    `A dependency names a tool, a decorated method or a tool's name, not ${typeof reference}.`,
  );
}
