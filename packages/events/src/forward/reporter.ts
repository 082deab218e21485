import type { JsonRecord } from '../payloads/read-field.js';

/** Whatever a method gives back is awaited and otherwise left alone. */
type Reported = unknown;

/**
 * Shows a run as it happens, for example on a terminal. Every method may be missing: then what it would show is left
 * out. A method may be asynchronous: the next event waits for it.
 */
export interface Reporter {
  /** The session began. */
  reportSessionStart?(session: { sessionId: string; assistantId: string }): Reported;
  /** Text came. `fullText` is all of that assistant so far; with `replaceContent` the text starts it over. */
  reportResponseChunk?(chunk: {
    text: string;
    assistantId: string;
    fullText: string;
    replaceContent: boolean;
  }): Reported;
  /** A line of status came. */
  reportStatusMessage?(status: { message: string; assistantId: string }): Reported;
  /** A tool began. `toolArgs` is null when the event has no arguments at all. */
  reportToolStart?(tool: {
    toolName: string;
    eventId: string;
    toolType: string;
    agentName: string | null;
    swarmName: string | null;
    toolArgs: JsonRecord | null;
  }): Reported;
  /** A tool ended well. */
  reportToolComplete?(tool: { eventId: string; result: unknown; elapsedMs: number | null }): Reported;
  /** A model tool ended well. Model tools are not told of when they begin. */
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
  /** A system tool told of its progress. `chunkCount` starts at 1 for each tool. */
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
  /** The run entered a phase; asked only when there is no `reportEnrichment`. */
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
  /** The turn ended: `success`, `error` or `warning`, and a sentence to show. */
  printEvent?(event: { eventType: 'success' | 'error' | 'warning'; message: string }): Reported;
  /** The turn ended; what it used. */
  printSummary?(summary: { tokenUsage: JsonRecord | null }): Reported;
  /** The turn ended with this text. */
  printFinalResponse?(final: { response: string }): Reported;
  /** The turn ended with this structured result, null without one. */
  printFinalResult?(final: { result: unknown }): Reported;
}
