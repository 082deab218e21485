import { useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import type { RunMode } from './api.js';

interface ComposerProps {
  mode: RunMode;
  onMode: (mode: RunMode) => void;
  /** Resolves to whether the question was accepted; otherwise it stays in the box. */
  onAsk: (message: string) => Promise<boolean>;
  /** Set while a run is in progress: no new question can be sent, and the run can be stopped. */
  onStop?: (() => void) | undefined;
  /** The state of the connection, in words. */
  connection?: string | undefined;
}

/** The message box. Enter sends, Shift+Enter starts a new line. */
export function Composer({ mode, onMode, onAsk, onStop, connection }: ComposerProps) {
  const [message, setMessage] = useState('');
  const modeId = useId();
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const running = onStop !== undefined;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const text = message.trim();
    if (text !== '' && !running && (await onAsk(text))) setMessage('');
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };

  const stop = () => {
    // The button disappears when the run ends, so keyboard focus moves to the box.
    box.current?.focus();
    onStop?.();
  };

  return (
    <div className="composer">
      <form ref={form} onSubmit={submit}>
        <label className="visually-hidden" htmlFor="message">
          Message
        </label>
        <textarea
          id="message"
          ref={box}
          value={message}
          placeholder="Ask about the folder"
          onChange={(event) => setMessage(event.target.value)}
          onKeyDown={sendOnEnter}
        />
        <div className="row">
          <label className="visually-hidden" htmlFor={modeId}>
            Who answers
          </label>
          <select
            id={modeId}
            value={mode}
            onChange={(event) => onMode(event.target.value === 'swarm' ? 'swarm' : 'agent')}
          >
            <option value="agent">One agent</option>
            <option value="swarm">Swarm of two</option>
          </select>
          <output className="connection">{connection}</output>
          {running && (
            <button type="button" onClick={stop}>
              Stop
            </button>
          )}
          {/* Not `disabled`, which would take the focus from it. */}
          <button type="submit" className="primary" aria-disabled={running || message.trim() === ''}>
            Ask
          </button>
        </div>
      </form>
    </div>
  );
}
