export type { BillingPlan, BillingUsage, ProviderMetadata } from './account/models.js';
export { Agent } from './agents/agent.js';
export type { BatchOptions } from './agents/batch.js';
export type { AgentOptions, ScopeOptions, ToolInput } from './agents/scope-options.js';
export type { ScopeSchedule } from './agents/scope-jobs.js';
export { BaseScope } from './agents/scope.js';
export type { PreviewOptions } from './agents/preview-options.js';
export type { Runs } from './agents/run-starter.js';
export type { StructuredOutput } from './agents/structured-output.js';
export { MissingCredentialError } from './auth/errors.js';
export { Client, type ClientOptions, type ClientPorts } from './client/client.js';
export {
  ClientBuilder,
  Configuration,
  ConfigurationBuilder,
  type EnvironmentOptions,
} from './client/configuration.js';
export type { StreamEvent } from './compile/stream-event.js';
export { ClientConfig, type ClientSettings } from './config/client-config.js';
export type { ApiKey } from './config/api-key.js';
export { ConfigurationError } from './config/errors.js';
export {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
} from './decorators/depends-on.js';
export type {
  ArgumentDoesNotFit,
  DecoratedMethod,
  InjectingDecorator,
  MethodContext,
  NotingDecorator,
} from './decorators/method-decorator.js';
export { dependsOnAwaitFor, dependsOnReevaluate, requiresProducerReference } from './decorators/order.js';
export { toolify, toolOutput, type ToolifyDecorator } from './decorators/toolify.js';
export { toolset } from './decorators/toolset.js';
export type { Hook, HookExecutionMode, HookInput, HookPayload, Hooks } from './hooks/hook.js';
export { MaivnHTTPError, PlanLimitExceededError } from './http/errors.js';
export type { InterruptInputType } from './interrupts/input-type.js';
export {
  getInterruptService,
  setInterruptService,
  type InterruptRequest,
  type InterruptService,
} from './interrupts/interrupt-service.js';
export type { MemoryConfig } from './invocation/memory-config.js';
export type {
  MemoryAssetsConfig,
  OrchestrationConfig,
  Reasoning,
  RunOptions,
  SystemToolsConfig,
} from './invocation/run-options.js';
export type { LogLevel, LogRecord, LogSink } from './logging/log-record.js';
export { configureLogging, getLogger, type Logger, type LoggingOptions } from './logging/logger.js';
export type { PrivateDataInput, PrivateDataMap } from './privacy/private-data-map.js';
export type { NamedValue } from './privacy/private-values.js';
export type { RedactionPreview } from './privacy/redact-messages.js';
export { MCPAutoSetup } from './mcp/mcp-auto-setup.js';
export { MCPServer } from './mcp/mcp-server.js';
export type { InsightChanges, InsightInput } from './memory/insight-input.js';
export type { InsightQuery, InsightsApi } from './memory/insights-api.js';
export type { MemoryApi } from './memory/memory-api.js';
export type { MemoryPolicyChanges, PolicyApi, PurgeOptions } from './memory/policy-api.js';
export type { ResourceChanges, ResourceInput } from './memory/resource-input.js';
export type { ResourceBinding, ResourceQuery, ResourcesApi, UnboundQuery } from './memory/resources-api.js';
export type { SkillChanges, SkillInput } from './memory/skill-input.js';
export type { SkillQuery, SkillsApi } from './memory/skills-api.js';
export type { ScheduledJob } from './scheduling/job/job.js';
export type { AgentRun } from './session/agent-run.js';
export { RunFailedError } from './session/errors.js';
export type { InvokeResponse } from './session/invoke-response.js';
export { Swarm } from './swarms/swarm.js';
export type { MemberOptions, SwarmOptions } from './swarms/swarm-options.js';
export type { ToolsetFilters } from './tools/declaration/collect-toolset.js';
export type { ComposePolicy } from './tools/declaration/compose-policy.js';
export type { DefineTool } from './tools/declaration/define-tool.js';
export { ToolError } from './tools/errors.js';
export {
  fileReceiptStore,
  type FileReceiptOptions,
  type FileReceiptStore,
} from './tools/receipts/file-receipts.js';
export type {
  AgentInjection,
  AgentResult,
  InjectedValues,
  Injection,
  Injections,
  InterruptInjection,
  PrivateDataInjection,
  ToolInjection,
} from './tools/references/injection.js';
export type { ModelToolOptions } from './tools/declaration/model-tool.js';
export type {
  AwaitControl,
  OrderControl,
  ProducerReferenceControl,
  ReevaluateControl,
} from './tools/references/order-control.js';
export {
  PermissionFlag,
  PermissionSet,
  requirePermissions,
  type PermissionName,
} from './tools/declaration/permissions.js';
export {
  memoryReceiptStore,
  type CallIntent,
  type Receipt,
  type ReceiptStore,
  type RecordedOutcome,
} from './tools/receipts/receipts.js';
export type { Parsed, Tool, ToolContext, ToolKind } from './tools/declaration/tool.js';
export type { ToolLogLine, ToolProgress, ToolQuestion } from './tools/reports/tool-reports.js';
export type {
  NoInjections,
  ToolArguments,
  ToolFunction,
  ToolOptions,
} from './tools/declaration/tool-options.js';
export { ToolOverride, type ToolOverrideOptions } from './tools/declaration/tool-override.js';
export type { ToolSource } from './tools/tool-source.js';
export type { ToolsetOptions } from './tools/declaration/toolset-annotations.js';
export { VERSION } from './version.js';
export { MaivnSDKError, isSdkError } from '@svc/contracts/sdk-error';
export { PIIWhitelist, type PIIWhitelistEntry, type PIIWhitelistOptions } from '@svc/redaction';
export type { TokenUsage } from '@svc/contracts/orchestrator';
