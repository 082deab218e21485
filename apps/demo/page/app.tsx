import { useState } from 'react';
import { startRun, type RunMode } from './api.js';
import { Composer } from './composer.js';
import { Conversation } from './conversation.js';
import { Examples } from './examples.js';
import { sessionHref, useSessionId } from './use-session-id.js';
import { useSessions } from './use-sessions.js';

/** The whole page: past sessions beside the conversation that the address names. */
export function App() {
  const [sessionId, goTo] = useSessionId();
  const { sessions, refresh } = useSessions();
  const [error, setError] = useState<string>();

  const ask = async (message: string, mode: RunMode) => {
    setError(undefined);
    try {
      goTo(await startRun({ message, mode, ...(sessionId ? { session_id: sessionId } : {}) }));
      refresh();
      return true;
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
      return false;
    }
  };

  return (
    <div className="layout">
      <a className="skip-link" href="#message">
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
        {sessionId ? (
          sessions && (
            <Conversation
              key={sessionId}
              sessionId={sessionId}
              firstEventId={
                sessions.find((session) => session.session_id === sessionId)?.first_event_id ?? undefined
              }
              onAsk={ask}
              error={error}
              onTurnEnd={refresh}
            />
          )
        ) : (
          <>
            <section className="timeline" aria-label="Start">
              <h2>Ask about the folder</h2>
              <p>The agent looks into a real folder with tools that run on this machine. Try one of these:</p>
              <Examples onAsk={ask} />
              {error && (
                <p className="notice failure" role="alert">
                  {error}
                </p>
              )}
            </section>
            <Composer onAsk={ask} />
          </>
        )}
      </main>
    </div>
  );
}
