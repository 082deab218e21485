import { useRun } from '@svc/client/react';
import { useEffect, useRef } from 'react';
import { cancelRun, type RunMode } from './api.js';
import { Composer } from './composer.js';
import { answeredInterrupts, questionsByTurn } from './session-events.js';
import { TurnView } from './turn-view.js';
import { useStickToEnd } from './use-stick-to-end.js';

interface ConversationProps {
  sessionId: string;
  /** Where to begin, so that every turn is seen. */
  firstEventId: string | undefined;
  onAsk: (message: string, mode: RunMode) => Promise<boolean>;
  error: string | undefined;
  onTurnEnd: () => void;
}

const connectionWords = {
  connecting: 'Connecting again',
  replaying: 'Catching up',
  open: 'Live',
  waiting: 'Ready',
  closed: 'Session ended',
} as const;

/** A session as it happens: every turn, and the message box. */
export function Conversation({ sessionId, firstEventId, onAsk, error, onTurnEnd }: ConversationProps) {
  const run = useRun(`/svc/events/${encodeURIComponent(sessionId)}`, { lastEventId: firstEventId });
  const end = useRef<HTMLDivElement>(null);
  const turn = run.turns.at(-1);
  const running = turn?.status === 'running' || turn?.status === 'pending';
  const questions = questionsByTurn(run);
  const answered = answeredInterrupts(run);

  useStickToEnd(end);
  useEffect(() => {
    if (!running) onTurnEnd();
  }, [running, onTurnEnd]);

  return (
    <>
      <section className="timeline" aria-label="Conversation">
        {run.gaps.length > 0 && <p className="notice">Some earlier events are no longer held.</p>}
        {run.turns.map((each) => (
          <TurnView
            key={each.key}
            sessionId={sessionId}
            turn={each}
            question={questions.get(each.key)}
            answeredInterrupts={answered}
          />
        ))}
        {run.failure !== null && (
          <p className="notice failure" role="alert">
            This session cannot be read:{' '}
            {run.failure instanceof Error ? run.failure.message : String(run.failure)}
          </p>
        )}
        {error && (
          <p className="notice failure" role="alert">
            {error}
          </p>
        )}
        <div ref={end} />
      </section>
      <Composer
        onAsk={onAsk}
        onStop={running ? () => void cancelRun(sessionId) : undefined}
        connection={connectionWords[run.connection]}
      />
    </>
  );
}
