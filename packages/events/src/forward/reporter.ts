import type { JsonRecord } from '../payloads/read-field.js';

/** The return value is awaited and otherwise ignored. */
type Reported = unknown;

/**
 * Receives a run as it happens, for example to show it on a terminal. All methods are optional and may be asynchronous:
 * the next event waits for them.
 */
export interface Reporter {
  /** The session started. */
  reportSessionStart?(session: { sessionId: string; assistantId: string }): Reported;
  /** Text arrived. `fullText` is the assistant's text so far; with `replaceContent` the new text replaces it. */
  reportResponseChunk?(chunk: {
    text: string;
    assistantId: string;
    fullText: string;
    replaceContent: boolean;
  }): Reported;
  /** A status line arrived. */
  reportStatusMessage?(status: { message: string; assistantId: string }): Reported;
  /** A tool started. `toolArgs` is null if the event has no arguments at all. */
  reportToolStart?(tool: {
    toolName: string;
    eventId: string;
    toolType: string;
    agentName: string | null;
    swarmName: string | null;
    toolArgs: JsonRecord | null;
  }): Reported;
  /** A tool completed. */
  reportToolComplete?(tool: { eventId: string; result: unknown; elapsedMs: number | null }): Reported;
  /** A model tool completed. The start of a model tool is not reported. */
  reportModelToolComplete?(tool: {
    toolName: string;
    eventId: string;
    agentName: string | null;
    swarmName: string | null;
    result: unknown;
  }): Reported;
  /** A tool failed. */
  reportToolError?(tool: {
    toolName: string;
    eventId: string;
    error: string;
    elapsedMs: number | null;
  }): Reported;
  /** A system tool reported progress. `chunkCount` counts from 1 for each tool. `elapsedSeconds` is always 0. */
  reportSystemToolProgress?(tool: {
    eventId: string;
    toolName: string;
    chunkCount: number;
    elapsedSeconds: number;
    text: string;
  }): Reported;
  /** A swarm member's assignment changed. */
  reportAgentAssignment?(assignment: {
    agentName: string;
    status: string;
    assignmentId: string;
    swarmName: string | null;
    error: string | null;
    result: unknown;
  }): Reported;
  /** The run entered a phase. */
  reportEnrichment?(enrichment: {
    phase: string;
    message: string;
    scopeId: string | null;
    scopeName: string | null;
    scopeType: string | null;
    memory?: JsonRecord;
    redaction?: JsonRecord;
  }): Reported;
  /** The run entered a phase; called only if there is no `reportEnrichment`. */
  reportPhaseChange?(change: { phase: string }): Reported;
  /** A before or after hook ran. */
  reportHookFired?(hook: {
    name: string;
    stage: string;
    status: string;
    targetType: string;
    targetId: string | null;
    targetName: string | null;
    error: string | null;
    elapsedMs: number | null;
    source?: string;
  }): Reported;
  /** The turn ended, with a sentence to show. */
  printEvent?(event: { eventType: 'success' | 'error' | 'warning'; message: string }): Reported;
  /** The turn ended, with its token usage; null if unknown. */
  printSummary?(summary: { tokenUsage: JsonRecord | null }): Reported;
  /** The turn ended with this answer. */
  printFinalResponse?(final: { response: string }): Reported;
  /** The turn ended with this structured result; null without one. */
  printFinalResult?(final: { result: unknown }): Reported;
}
