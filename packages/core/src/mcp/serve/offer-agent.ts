import { isSdkError } from '@svc/contracts/sdk-error';
import * as z from 'zod';
import type { InterruptInputType } from '../../interrupts/input-type.js';
import type { Logger } from '../../logging/logger.js';
import type { Runtime } from '../../runtime.js';
import { MCPError } from '../errors.js';
import { EventAllowance } from '../event-allowance.js';
import { nameTools } from '../tool-names.js';
import type { Caller, Offer, OfferedResult, OfferedTool } from './offer.js';
import type { ServableAgent, ServableRun } from './servable-agent.js';

const InputSchema = z.strictObject({ message: z.string().min(1) });

const INTERRUPT_TYPES = [
  'text',
  'choice',
  'boolean',
  'number',
  'email',
  'password',
] satisfies InterruptInputType[];
const InterruptSchema = z.looseObject({
  interrupt_id: z.string(),
  prompt: z.string().catch(''),
  arg_name: z.string().catch('answer'),
  input_type: z.enum(INTERRUPT_TYPES).catch('text'),
  choices: z.array(z.string()).catch([]),
});
const ToolEventSchema = z.looseObject({ tool_name: z.string(), status: z.string() });
const StatusSchema = z.looseObject({ message: z.string() });

/** Offers an agent as one tool: a message in, its answer out. */
export function offerAgent(agent: ServableAgent, parts: { logger: Logger; runtime: Runtime }): Offer {
  const name = nameTools([agent.name], { prefix: '', separator: '__' }).get(agent.name) ?? 'agent';
  const tool: OfferedTool = {
    name,
    description: agent.description ?? `Asks the agent ${agent.name}.`,
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'What the agent is asked.' } },
      required: ['message'],
      additionalProperties: false,
    },
  };
  return {
    listTools: () => [tool],
    call: (called, args, caller) => (called === name ? callAgent(agent, args, caller, parts) : undefined),
  };
}

async function callAgent(
  agent: ServableAgent,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
  { logger, runtime }: { logger: Logger; runtime: Runtime },
): Promise<OfferedResult> {
  const input = InputSchema.safeParse(args);
  if (!input.success) return { isError: true, text: 'The call needs a message, and nothing else.' };
  const run = agent.stream(input.data.message, { signal: caller.signal });
  try {
    await follow(run, caller, new EventAllowance({ maxEvents: 10, perMs: 1_000 }, runtime));
    const { response, result } = await run.response;
    const structured = { response, result };
    return { isError: false, text: response === '' ? JSON.stringify(result) : response, structured };
  } catch (error) {
    caller.signal.throwIfAborted();
    logger.warn('A run for an MCP client failed.', { agent: agent.name, error });
    // Errors of our own are made to be shown; what others say may hold anything.
    return { isError: true, text: isSdkError(error) ? error.toString() : 'The agent failed.' };
  }
}

/** Shows the client what the run does, and asks it what the run asks. */
async function follow(run: ServableRun, caller: Caller, allowance: EventAllowance): Promise<void> {
  let progress = 0;
  for await (const { name, payload } of run) {
    if (name === 'interrupt_required') await answer(run, payload, caller);
    const message = describe(name, payload);
    if (message !== undefined && allowance.take())
      await caller.reportProgress({ progress: (progress += 1), message });
  }
}

async function answer(run: ServableRun, payload: unknown, caller: Caller): Promise<void> {
  const question = InterruptSchema.parse(payload);
  const { interrupt_id: id, prompt, arg_name: name, input_type: inputType, choices } = question;
  if (inputType === 'password') {
    throw new MCPError('The agent asks for a password, which must not go through an MCP client.', {
      code: 'MCP_QUESTION_REFUSED',
      server: 'client',
    });
  }
  await run.answer(id, await caller.ask({ name, prompt, inputType, choices }));
}

function describe(name: string, payload: unknown): string | undefined {
  if (name === 'status_message') return StatusSchema.safeParse(payload).data?.message;
  if (name !== 'tool_event') return undefined;
  const event = ToolEventSchema.safeParse(payload).data;
  return event && `${event.tool_name}: ${event.status}`;
}
