// Compiled with declarations (TS2742, TS2883): the declarations of a user's library can name everything it exports.
import {
  Agent,
  Client,
  dependsOnAgent,
  dependsOnAwaitFor,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnReevaluate,
  dependsOnTool,
  requiresProducerReference,
  toolify,
  toolOutput,
  type Injections,
  type ToolOptions,
} from '@svc/core';
import {
  buildAgentAssignmentPayload,
  buildAssistantChunkPayload,
  buildEnrichmentPayload,
  buildErrorPayload,
  buildFinalPayload,
  buildHookFiredPayload,
  buildInterruptRequiredPayload,
  buildSessionStartPayload,
  buildStatusMessagePayload,
  buildSystemToolChunkPayload,
  buildSystemToolCompletePayload,
  buildSystemToolStartPayload,
  buildToolEventPayload,
} from '@svc/events';
import type {
  ComposedText,
  ComposeRequest,
  PlanContext,
  Planner,
  PlannerIo,
  PlanStep,
} from '@svc/orchestrator';
import { z } from 'zod';

export const client = new Client({ apiKey: 'key' });
export const agent = new Agent({ name: 'clerk', client });
export const fetchOrder = agent.toolify(
  { name: 'fetch_order', description: 'Fetch an order', input: z.object({ id: z.string() }) },
  ({ id }) => ({ id, total: 3 }),
);
export const payOrder = agent.toolify(
  {
    name: 'pay_order',
    description: 'Pay an order',
    input: z.object({}),
    inject: { order: dependsOnTool(fetchOrder) },
  },
  ({ order }) => order.total,
);

export const toolDependency = dependsOnTool(fetchOrder);
export const agentDependency = dependsOnAgent(agent);
export const privateDependency = dependsOnPrivateData('card_token');
export const privateNumber = dependsOnPrivateData({ key: 'pin', schema: z.number() });
export const question = dependsOnInterrupt({ prompt: 'Shall I?' });
export const awaited = dependsOnAwaitFor(fetchOrder);
export const reevaluated = dependsOnReevaluate(fetchOrder);
export const referenced = requiresProducerReference({ argumentPath: 'source', producer: fetchOrder });

export const orderArgument = dependsOnTool(fetchOrder, 'order');
export const tokenArgument = dependsOnPrivateData('card_token', 'token');
export const answerArgument = dependsOnInterrupt({ argName: 'ok', prompt: 'Shall I?' });
export const marked = toolify({ description: 'Find an order', input: z.object({ id: z.string() }) });
export const checked = toolOutput(z.object({ total: z.number() }));
export const define = agent.toolify;
export const { hooks, kind, parseInput, execute } = fetchOrder;
export const addTool = <Input extends z.ZodObject, const Injected extends Injections>(
  options: ToolOptions<Input, Injected>,
) => agent.toolify(options, (args) => args);

export const schedule = agent.cron('0 9 * * *');
export const job = schedule.invoke('Sum up the day.');
export const run = agent.stream('Sum up the day.');
export const structured = agent.structuredOutput(z.object({ total: z.number() }));
export const structuredRun = structured.stream('Sum up the day.');
export const memory = client.memory;
export const { skills, insights, resources } = client.memory;
export const policy = client.memory.policy('acme');
export const configuration = client.config;
export const apiKey = client.config.apiKey;

export const toolEvent = buildToolEventPayload({ toolName: 'a', toolId: 'b', status: 'executing' });
export const chunk = buildAssistantChunkPayload({ assistantId: 'a', text: 'b' });
export const status = buildStatusMessagePayload({ assistantId: 'a', message: 'b' });
export const assignment = buildAgentAssignmentPayload({
  agentName: 'a',
  assignmentId: 'b',
  status: 'received',
});
export const enrichment = buildEnrichmentPayload({ phase: 'a', message: 'b' });
export const interrupt = buildInterruptRequiredPayload({ interruptId: 'a', dataKey: 'b', prompt: 'c' });
export const final = buildFinalPayload({ response: 'a' });
export const error = buildErrorPayload({ error: 'a' });
export const start = buildSessionStartPayload({ sessionId: 'a', assistantId: 'b' });
export const systemStart = buildSystemToolStartPayload({ toolType: 'a', toolId: 'b' });
export const systemChunk = buildSystemToolChunkPayload({ toolId: 'a', text: 'b' });
export const systemEnd = buildSystemToolCompletePayload({ toolId: 'a', result: 'b' });
export const hook = buildHookFiredPayload({
  name: 'a',
  stage: 'before',
  status: 'completed',
  targetType: 'tool',
});

export class EchoPlanner implements Planner {
  readonly name = 'echo';
  async next(context: PlanContext, io: PlannerIo): Promise<PlanStep> {
    const text = context.messages.at(-1)?.content ?? '';
    io.onText(text);
    return { type: 'finish', text };
  }
  async compose({ instructions }: ComposeRequest): Promise<ComposedText> {
    return { text: instructions };
  }
}
