import { isSdkError } from '@svc/contracts/sdk-error';
import * as z from 'zod';
import { INPUT_TYPES } from '../../../interrupts/input-type.js';
import type { Logger } from '../../../logging/logger.js';
import type { Runtime } from '../../../runtime.js';
import { MCPError } from '../../errors.js';
import { EventAllowance } from '../../calls/event-allowance.js';
import { nameTools } from '../../tools/tool-names.js';
import { keptValues } from './kept-values.js';
import type { Caller, Offer, OfferedResult, OfferedTool } from './offer.js';
import type { ServableAgent, ServableRun } from './servable-agent.js';

const InputSchema = z.strictObject({ message: z.string().min(1) });

const InterruptSchema = z.looseObject({
  interrupt_id: z.string(),
  prompt: z.string().catch(''),
  arg_name: z.string().catch('answer'),
  input_type: z.enum(INPUT_TYPES).catch('text'),
  choices: z.array(z.string()).catch([]),
  expires_at: z.iso.datetime().optional().catch(undefined),
});
const ToolEventSchema = z.looseObject({ tool_name: z.string(), status: z.string() });
const StatusSchema = z.looseObject({ message: z.string() });

/** Offers an agent as one tool, with a message as its argument and the agent's answer as its result. */
export function offerAgent(agent: ServableAgent, parts: { logger: Logger; runtime: Runtime }): Offer {
  const name = nameTools([agent.name], { prefix: '', separator: '__' }).get(agent.name) ?? 'agent';
  const describeTool = (): OfferedTool => ({
    name,
    description: keptValues(agent).cleanText(agent.description ?? `Asks the agent ${agent.name}.`),
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'The message to the agent.' } },
      required: ['message'],
      additionalProperties: false,
    },
  });
  return {
    listTools: () => [describeTool()],
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
  if (!input.success)
    return { isError: true, text: 'The arguments must be an object with only a non-empty message.' };
  try {
    const run = agent.stream(input.data.message, { signal: caller.signal });
    await follow(run, caller, runtime);
    const { response, result } = await run.response;
    const structured = { response, result };
    return { isError: false, text: response === '' ? JSON.stringify(result) : response, structured };
  } catch (error) {
    caller.signal.throwIfAborted();
    logger.warn('A run for an MCP client failed.', { agent: agent.name, error });
    // SDK errors are safe to show; other errors may contain anything.
    return { isError: true, text: isSdkError(error) ? error.toString() : 'The agent failed.' };
  }
}

/** Reports the progress of the run to the client, and forwards its questions. */
async function follow(run: ServableRun, caller: Caller, runtime: Runtime): Promise<void> {
  const allowance = new EventAllowance({ maxEvents: 10, perMs: 1_000 }, runtime);
  let progress = 0;
  for await (const { name, payload } of run) {
    if (name === 'interrupt_required') await answer(run, payload, caller, runtime);
    const message = describe(name, payload);
    if (message !== undefined && allowance.take())
      await caller.reportProgress({ progress: (progress += 1), message });
  }
}

async function answer(run: ServableRun, payload: unknown, caller: Caller, runtime: Runtime): Promise<void> {
  const { interrupt_id: id, arg_name: name, ...question } = InterruptSchema.parse(payload);
  const { prompt, input_type: inputType, choices, expires_at: expiresAt } = question;
  if (inputType === 'password') {
    throw new MCPError('The agent asks for a password, which must not go through an MCP client.', {
      code: 'MCP_QUESTION_REFUSED',
      server: 'client',
    });
  }
  const expiresInMs =
    expiresAt === undefined ? undefined : Math.max(1, Date.parse(expiresAt) - runtime.now());
  const over = new AbortController();
  try {
    const { signal } = over;
    const asking = caller.ask({ name, prompt, inputType, choices, expiresInMs, signal });
    // A run that has ended does not wait for an answer.
    const reply = await Promise.race([asking, run.response.then(() => undefined)]);
    if (reply !== undefined) await run.answer(id, reply);
  } catch (error) {
    // The run continues without an answer that came too late.
    if (!isSdkError(error) || !TOO_LATE.has(error.code)) throw error;
  } finally {
    over.abort();
  }
}

const TOO_LATE: ReadonlySet<string> = new Set(['INTERRUPT_EXPIRED', 'INTERRUPT_NOT_OPEN']);

function describe(name: string, payload: unknown): string | undefined {
  if (name === 'status_message') return StatusSchema.safeParse(payload).data?.message;
  if (name !== 'tool_event') return undefined;
  const event = ToolEventSchema.safeParse(payload).data;
  return event && `${event.tool_name}: ${event.status}`;
}
