/** A tool call of any type (function, agent, MCP, model, system) started or ended. */
export const TOOL_EVENT_NAME = 'tool_event' as const;
/** Raw only: the orchestrator's text so far, or a swarm member's progress. */
export const UPDATE_EVENT_NAME = 'update' as const;
/** Raw only: text to append. */
export const PROGRESS_UPDATE_EVENT_NAME = 'progress_update' as const;
/** A single status line. */
export const STATUS_MESSAGE_EVENT_NAME = 'status_message' as const;
/** The run entered a phase. */
export const ENRICHMENT_EVENT_NAME = 'enrichment' as const;
/** The run waits for a person's answer. */
export const INTERRUPT_REQUIRED_EVENT_NAME = 'interrupt_required' as const;
/** An orchestrator tool started. */
export const SYSTEM_TOOL_START_EVENT_NAME = 'system_tool_start' as const;
/** An orchestrator tool reported progress. */
export const SYSTEM_TOOL_CHUNK_EVENT_NAME = 'system_tool_chunk' as const;
/** An orchestrator tool completed. */
export const SYSTEM_TOOL_COMPLETE_EVENT_NAME = 'system_tool_complete' as const;
/** An orchestrator tool failed. */
export const SYSTEM_TOOL_ERROR_EVENT_NAME = 'system_tool_error' as const;
/** Raw only: the model filled a structured-output tool. */
export const MODEL_TOOL_COMPLETE_EVENT_NAME = 'model_tool_complete' as const;
/** A developer's before or after hook ran. */
export const HOOK_FIRED_EVENT_NAME = 'hook_fired' as const;
/** The turn ended with an answer. */
export const FINAL_EVENT_NAME = 'final' as const;
/** The turn ended with an error. */
export const ERROR_EVENT_NAME = 'error' as const;
/** A part of the assistant's answer to append. */
export const ASSISTANT_CHUNK_EVENT_NAME = 'assistant_chunk' as const;
/** A swarm member received, works on or finished an assignment. */
export const AGENT_ASSIGNMENT_EVENT_NAME = 'agent_assignment' as const;
/** A session or a new turn started. */
export const SESSION_START_EVENT_NAME = 'session_start' as const;
/** The session ended; no events follow. */
export const SESSION_END_EVENT_NAME = 'session_end' as const;
/** Events between the reader's cursor and the next event are missing. */
export const STREAM_GAP_EVENT_NAME = 'stream_gap' as const;
