import { StreamRefusedError } from '@svc/client';
import { useRun } from '@svc/client/react';
import { useEffect, useRef } from 'react';
import type { RunMode } from './api.js';
import { Composer } from './composer.js';
import { answeredInterrupts, questionsByTurn } from './session-events.js';
import { TurnView } from './turn-view.js';
import { useFollowTurn } from './use-follow-turn.js';
import { useKeepFocus } from './use-keep-focus.js';

interface ConversationProps {
  /** Undefined before the first question. */
  sessionId: string | undefined;
  /** Where to start reading, so that every turn is shown. */
  firstEventId: string | undefined;
  error: string | undefined;
  mode: RunMode;
  onMode: (mode: RunMode) => void;
  onAsk: (message: string) => Promise<boolean>;
  onStop: (sessionId: string) => void;
  onTurnEnd: () => void;
  /** What is shown when there is no session. */
  children: React.ReactNode;
}

const connectionWords = {
  connecting: 'Connecting',
  replaying: 'Catching up',
  open: 'Live',
  waiting: 'Ready',
  closed: 'Session ended',
} as const;

/** Sessions live as long as the server's process. */
function failureText(failure: unknown): string {
  if (failure instanceof StreamRefusedError && failure.statusCode === 404)
    return 'This session no longer exists. Start a new one.';
  return `This session cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`;
}

/** A live session: every turn, and the message box. */
export function Conversation(props: ConversationProps) {
  const { sessionId, firstEventId, error, onTurnEnd } = props;
  const run = useRun(sessionId && `/svc/events/${encodeURIComponent(sessionId)}`, {
    lastEventId: firstEventId,
  });
  const turns = useRef<HTMLDivElement>(null);
  const turn = run.turns.at(-1);
  const running = turn?.status === 'running' || turn?.status === 'pending';
  const questions = questionsByTurn(run);
  const answered = answeredInterrupts(run);

  useFollowTurn(turns, turn?.key);
  useKeepFocus();
  useEffect(() => {
    if (!running) onTurnEnd();
  }, [running, onTurnEnd]);

  return (
    <>
      <section className="timeline" aria-label={sessionId ? 'Conversation' : 'Start'} tabIndex={-1}>
        {props.children}
        {run.gaps.length > 0 && <p className="notice">Some earlier events are no longer available.</p>}
        <div ref={turns}>
          {run.turns.map((each) => (
            <TurnView
              key={each.key}
              sessionId={sessionId ?? ''}
              turn={each}
              question={questions.get(each.key)}
              answeredInterrupts={answered}
            />
          ))}
        </div>
        {run.failure !== null && (
          <p className="notice failure" role="alert">
            {failureText(run.failure)}
          </p>
        )}
        {error && (
          <p className="notice failure" role="alert">
            {error}
          </p>
        )}
      </section>
      <Composer
        mode={props.mode}
        onMode={props.onMode}
        onAsk={props.onAsk}
        onStop={running && sessionId ? () => props.onStop(sessionId) : undefined}
        connection={sessionId && connectionWords[run.connection]}
      />
    </>
  );
}
