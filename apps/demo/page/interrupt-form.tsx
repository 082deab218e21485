import type { InterruptCard } from '@svc/client';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { answerInterrupt } from './api.js';

interface InterruptFormProps {
  sessionId: string;
  card: InterruptCard;
  answered: boolean;
}

const inputTypes: Readonly<Record<string, string>> = {
  number: 'number',
  email: 'email',
  password: 'password',
};

/** A question the run asks the user, answered in place. */
export function InterruptForm({ sessionId, card, answered }: InterruptFormProps) {
  const { id, prompt, input_type: inputType, choices } = card.interrupt;
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [sent, setSent] = useState(false);
  const inputId = useId();
  const section = useRef<HTMLElement>(null);
  const open = card.status === 'pending' && !answered && !sent;

  useEffect(() => {
    if (open) section.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);

  const answer = async (value: string | boolean | number) => {
    setError(undefined);
    // The pressed button disappears; focus stays on the question.
    section.current?.focus();
    setSent(true);
    try {
      await answerInterrupt(sessionId, id ?? '', value);
    } catch (cause) {
      setSent(false);
      setError(cause instanceof Error ? cause.message : String(cause));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void answer(inputType === 'number' ? Number(text) : text);
  };

  return (
    <section
      ref={section}
      className="interrupt"
      data-open={open}
      aria-labelledby={`${inputId}-prompt`}
      tabIndex={-1}
    >
      {/* An alert, since the run waits: screen readers announce it at once. */}
      <p id={`${inputId}-prompt`} role={open ? 'alert' : undefined}>
        {prompt}
      </p>
      {open && inputType === 'boolean' && (
        <form onSubmit={(event) => event.preventDefault()} aria-labelledby={`${inputId}-prompt`}>
          <button type="button" className="primary" onClick={() => answer(true)}>
            Yes
          </button>
          <button type="button" onClick={() => answer(false)}>
            No
          </button>
        </form>
      )}
      {open && inputType === 'choice' && (
        <form onSubmit={(event) => event.preventDefault()} aria-labelledby={`${inputId}-prompt`}>
          {(choices ?? []).map((choice) => (
            <button key={choice} type="button" onClick={() => answer(choice)}>
              {choice}
            </button>
          ))}
        </form>
      )}
      {open && inputType !== 'boolean' && inputType !== 'choice' && (
        <form onSubmit={submit}>
          <input
            id={inputId}
            aria-labelledby={`${inputId}-prompt`}
            type={inputTypes[inputType ?? ''] ?? 'text'}
            step="any"
            value={text}
            required
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className="primary">
            Answer
          </button>
        </form>
      )}
      {!open && <span>{answered || sent ? 'Answered.' : 'No longer open.'}</span>}
      {error && <p role="alert">{error}</p>}
    </section>
  );
}
