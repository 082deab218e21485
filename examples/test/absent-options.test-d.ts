// Compiled under exactOptionalPropertyTypes by absent-options.test.ts: every optional option also accepts undefined.
import { openEventStream } from '@svc/client';
import {
  Agent,
  Client,
  ClientBuilder,
  configureLogging,
  dependsOnAgent,
  dependsOnAwaitFor,
  dependsOnInterrupt,
  MCPServer,
  memoryReceiptStore,
  PIIWhitelist,
  Swarm,
  ToolError,
  ToolOverride,
} from '@svc/core';
import { serveMcp } from '@svc/core/mcp';
import { HumanMessage, PrivateData, RedactedMessage } from '@svc/core/messages';
import { cron, every, sqliteScheduleStore } from '@svc/core/scheduling';
import {
  BridgeRegistry,
  EventBridge,
  forwardNormalizedStream,
  MemoryEventLog,
  NormalizedEventForwardingState,
  NormalizedStreamState,
  normalizeStream,
  normalizeStreamEvent,
  validateEvent,
} from '@svc/events';
import { mountEvents } from '@svc/fastify';
import { createOrchestrator, modelPlanner } from '@svc/orchestrator';
import { sqliteRunStore } from '@svc/orchestrator/sqlite';
import { createValueMatcher, redactTexts } from '@svc/redaction';
import { redisEventLog } from '@svc/redis';
import type { LanguageModel } from 'ai';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';

declare const text: string | undefined;
declare const count: number | undefined;
declare const flag: boolean | undefined;
declare const signal: AbortSignal | undefined;
declare const app: FastifyInstance;
declare const redis: Redis;
declare const model: LanguageModel;

const none = undefined;
const client = new Client({ apiKey: text, baseUrl: text, timezone: text, projectId: text, envFile: text });
const { skills, insights, resources } = client.memory;
void skills.list({ search: text, sharingScope: none, origin: none, status: none, limit: count, signal });
void skills.update('x', { name: text, status: none });
void insights.list({ search: text, sharingScope: none, insightType: none, origin: none });
void insights.update('x', { insightType: none, content: text });
void resources.list({ search: text, bindingType: none, status: none, tags: none });
void resources.listUnbound({ minAgeDays: count });
const noLimits = { vectorRetentionDays: count, graphRetentionDays: count };
void client.memory.policy('x').update({ enabled: flag, persistenceCeiling: none, ...noLimits });
ClientBuilder.fromEnvironment({ envFile: text, apiKeyFile: text });

const agent = new Agent({
  name: 'desk',
  description: text,
  systemPrompt: text,
  client,
  model: text,
  metadata: none,
  toolTimeoutMs: count,
  privateData: none,
  beforeExecute: none,
  receipts: none,
  useAsFinalOutput: flag,
});
agent.toolify(
  { name: 'look', description: 'Look', tags: none, timeoutMs: count, idempotent: flag, beforeExecute: none },
  () => 1,
);
const options = {
  signal,
  threadId: text,
  timeoutMs: count,
  orchestrationConfig: { mode: none, maxCycles: count },
};
void agent.invoke('x', options);
agent.stream('x', { ...options, systemToolsConfig: { allowedTools: none } });
void agent.batch(['x'], { ...options, maxConcurrency: count });
const [first] = await agent.batch(['x'], { settle: none });
first?.response satisfies string | undefined;
agent.addToolset({}, { include: none, excludeTags: none, overrides: { find: none } });
agent.previewRedaction(new RedactedMessage('x'), { privateData: none, knownPiiValues: none });
sqliteScheduleStore({ path: 'x', maxRecordsPerJob: count });
void new Swarm({ name: 'all', description: text, client: none }).addAgent(agent, { inject: none });

memoryReceiptStore({ maxReceipts: count });
void new Client({}, { environment: none, runtime: none, requestTimeoutMs: count });
void new ToolError('x', { code: 'X', details: none, isRetryable: flag });
void new ToolOverride({ name: text, description: text, inject: none });
dependsOnInterrupt({ prompt: 'x', expiresInMs: count, handler: none });
dependsOnAgent(agent, { prompt: none });
dependsOnAwaitFor('look', { timing: none });
void new HumanMessage('x', { attachments: [{ name: 'x', text, bytes: none }] });
void new RedactedMessage('x', { knownPiiValues: none });
void new PrivateData({ value: 'x', label: text });
configureLogging({ level: none, sink: none });
void new MCPServer({ name: 'x', command: 'y', cwd: text, connectTimeoutMs: count });
serveMcp(agent, { maxSessions: count, authorize: none });
cron('* * * * *', { timezone: text })
  .withRetry({ maxAttempts: 2, baseMs: count })
  .withMisfire({ policy: 'skip', graceMs: count });
void every(1_000)
  .run(() => 1)
  .stop({ drain: flag, signal });

const bridge = new EventBridge('s', { audience: none, maxHistory: count, log: none, privateValues: none });
bridge.generateSse({ lastEventId: text, audience: none, signal });
const whose = { participantKey: text, participantName: text, participantRole: text };
const where = { agentName: text, swarmName: text };
void bridge.emitToolEvent({
  toolName: 'x',
  toolId: 'x',
  status: 'x',
  args: none,
  error: text,
  toolType: text,
  ...where,
});
void bridge.emitAssistantChunk({ assistantId: 'x', text: 'x', replaceContent: flag, ...whose });
void bridge.emitSystemToolStart({ toolType: 'x', toolId: 'x', params: none, ...where });
void bridge.emitSystemToolChunk({ toolId: 'x', text: 'x', progress: count });
void bridge.emitAgentAssignment({
  agentName: 'x',
  status: 'x',
  assignmentId: text,
  swarmName: text,
  task: text,
  error: text,
});
void bridge.emitEnrichment({
  phase: 'x',
  message: 'x',
  scopeId: text,
  scopeName: text,
  scopeType: text,
  memory: none,
  redaction: none,
});
void bridge.emitInterruptRequired({
  interruptId: 'x',
  dataKey: 'x',
  prompt: 'x',
  toolName: text,
  argName: text,
  checkpointId: text,
  assignmentId: text,
  interruptNumber: count,
  totalInterrupts: count,
  inputType: text,
  choices: none,
  timestamp: text,
});
void bridge.emitFinal({ response: 'x', tokenUsage: none });
void bridge.emitError({ error: 'x', details: none });
void bridge.emitHookFired({
  name: 'x',
  stage: 'x',
  status: 'x',
  targetType: 'x',
  targetId: text,
  targetName: text,
  source: text,
  error: text,
  elapsedMs: count,
});
validateEvent('x', {}, { mode: none, logger: none });
normalizeStreamEvent(
  { name: 'x' },
  {
    state: none,
    toolMetadataMap: {
      x: {
        tool_name: text,
        name: text,
        tool_type: text,
        agent_name: text,
        swarm_name: text,
        target_agent_id: text,
      },
    },
  },
);
void new NormalizedStreamState({ createId: none });
void new NormalizedEventForwardingState({ now: none });
void new BridgeRegistry({ maxSessions: count, create: none });
void new MemoryEventLog({});
void forwardNormalizedStream(normalizeStream([], { defaultAgentName: text }), { reporter: none, bridge });
mountEvents(app, { prefix: text, authorize: none, factory: none, limits: { sessions: count } });
redisEventLog({ client: redis, prefix: text });
openEventStream({ url: 'x', lastEventId: text, signal });

const orchestrator = createOrchestrator({
  project: text,
  store: none,
  logger: none,
  memory: { path: text },
  systemTools: { repl: none },
  limits: { cyclesPerRun: count },
  planner: modelPlanner({ model, timeoutMs: count }),
  keys: [{ key: 'x', project: 'x', organization: text, operations: none }],
});
void orchestrator.keys.create({ project: 'x', organization: text, operations: none });
void orchestrator.keys.list({ project: text });
void orchestrator.listen({ host: text, port: count });
void orchestrator.close({ drainTimeoutMs: count });
sqliteRunStore({ path: 'x', synchronous: none });

const whitelist = new PIIWhitelist({ entries: none, phiMode: flag });
void new PIIWhitelist({
  entries: [{ justification: 'shown to all', value: text, pattern: none, label: text }],
});
createValueMatcher([], { replacement: none });
redactTexts([], { knownValues: none, whitelist: none, countAfter: count, privateData: none });
redactTexts([], { knownValues: [{ value: 'x', name: text, piiType: text }], whitelist });
