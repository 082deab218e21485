/** A session in the server's list. */
export interface SessionEntry {
  session_id: string;
  title: string;
  created_at: string;
  /** Resuming after this event shows every turn; null while there is none. */
  first_event_id: string | null;
  running: boolean;
}

/** Who answers: one agent, or the swarm that writes reports. */
export type RunMode = 'agent' | 'swarm';

async function request(path: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(path, init);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const message =
    typeof body === 'object' && body !== null && 'message' in body
      ? String(body.message)
      : response.statusText;
  throw new Error(message);
}

const post = (path: string, body: object) =>
  request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Starts a run in a new or the given session, and resolves to the session's id. */
export async function startRun(run: {
  message: string;
  session_id?: string;
  mode: RunMode;
}): Promise<string> {
  const answer = await post('/api/runs', run);
  return String((answer as { session_id: unknown }).session_id);
}

/** Answers an interrupt of the session's run. */
export const answerInterrupt = (sessionId: string, interruptId: string, value: string | boolean | number) =>
  post(`/api/runs/${encodeURIComponent(sessionId)}/answers`, { interrupt_id: interruptId, value });

/** Stops the session's run. */
export const cancelRun = (sessionId: string) => post(`/api/runs/${encodeURIComponent(sessionId)}/cancel`, {});

/** Returns the sessions of the server, newest first. */
export async function listSessions(): Promise<SessionEntry[]> {
  return ((await request('/api/sessions')) as { sessions: SessionEntry[] }).sessions;
}
