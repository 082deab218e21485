/** The planning service for `@svc/core`: embedded or self-hosted. */
export { createOrchestrator } from './create-orchestrator.js';
export type { Orchestrator, CloseOptions } from './orchestrator.js';
export type { OrchestratorOptions } from './options.js';
export type { KeyInfo, Keys } from './keys/key-ring.js';
export type { FixedKey, KeyScope } from './keys/key-scope.js';
export { KEY_OPERATIONS, type KeyOperation } from './keys/key-operation.js';
export type { ComposedText, ComposeRequest, Planner, PlannerIo } from './planning/planner.js';
export type { PlanContext } from './planning/plan-context.js';
export type { PlanStep } from './planning/plan-step.js';
export { offlinePlanner } from './planning/offline/offline-planner.js';
export { modelFromEnvironment } from './planning/model/model-from-environment.js';
export type { ModelEnvironment } from './planning/model/model-from-environment.js';
export { modelPlanner } from './planning/model/model-planner.js';
export type { SystemToolsOptions } from './system-tools/create-system-tools.js';
export type { ModelPlannerOptions } from './planning/model/model-request.js';
export type { RunStore } from '@svc/contracts/orchestrator';
