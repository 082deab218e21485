import { useState } from 'react';
import { cancelRun, startRun, type RunMode } from './api.js';
import { Conversation } from './conversation.js';
import { Examples } from './examples.js';
import { sessionHref, useSessionId } from './use-session-id.js';
import { useSessions } from './use-sessions.js';

/** The address names the session, so following the link would leave it. */
function skipToMessage(event: React.MouseEvent) {
  event.preventDefault();
  document.querySelector<HTMLElement>('#message')?.focus();
}

/** The whole page: past sessions next to the conversation that the address names. */
export function App() {
  const [sessionId, goTo] = useSessionId();
  const { sessions, refresh } = useSessions();
  const [mode, setMode] = useState<RunMode>('agent');
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<{ sessionId: string | undefined; message: string }>();

  /** Resolves to whether it succeeded; an error is shown in this session. */
  const attempt = async (work: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await work();
      return true;
    } catch (cause) {
      setError({ sessionId, message: cause instanceof Error ? cause.message : String(cause) });
      return false;
    }
  };
  const ask = async (message: string, by: RunMode = mode) => {
    // Pressing twice must not start two runs.
    if (isAsking) return false;
    setAsking(true);
    const isAccepted = await attempt(async () => {
      setMode(by);
      goTo(await startRun({ message, mode: by, ...(sessionId ? { session_id: sessionId } : {}) }));
      refresh();
    });
    setAsking(false);
    return isAccepted;
  };

  return (
    <div className="layout">
      <a className="skip-link" href="#message" onClick={skipToMessage}>
        Skip to the message box
      </a>
      <nav className="sidebar" aria-label="Sessions">
        <h1>svc demo</h1>
        <button type="button" onClick={() => goTo('')}>
          New session
        </button>
        {sessions !== undefined && sessions.length > 0 && <h2 id="past-sessions">Past sessions</h2>}
        <ul className="sessions" aria-labelledby="past-sessions">
          {sessions?.map((session) => (
            <li key={session.session_id}>
              <a
                href={sessionHref(session.session_id)}
                aria-current={session.session_id === sessionId ? 'page' : undefined}
                title={session.title}
              >
                {session.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="conversation">
        <Conversation
          sessionId={sessions && sessionId}
          firstEventId={
            sessions?.find((session) => session.session_id === sessionId)?.first_event_id ?? undefined
          }
          error={error?.sessionId === sessionId ? error?.message : undefined}
          mode={mode}
          onMode={setMode}
          onAsk={ask}
          onStop={(id) => attempt(() => cancelRun(id))}
          onTurnEnd={refresh}
        >
          {!sessionId && <Examples onAsk={ask} />}
        </Conversation>
      </main>
    </div>
  );
}
