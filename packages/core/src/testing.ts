/** Test doubles for applications: they need no API key and use only the loopback address. */
export {
  SCRIPTED_API_KEY,
  startScriptedOrchestrator,
  type RecordedEvent,
  type RecordedRequest,
  type ReplacedAnswer,
  type Script,
  type ScriptedOrchestrator,
  type ScriptedOrchestratorOptions,
} from './testing/scripted-orchestrator.js';
export type { ScriptedAnswer, ScriptedSession } from './testing/scripted-session.js';
