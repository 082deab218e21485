import type { RunState } from '@svc/client';

/** The demo's own events, besides those of the contract: questions, and answered interrupts. */
const questionName = 'demo_question';
const answeredName = 'demo_interrupt_answered';

const textIn = (data: unknown, field: string) => {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, field) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** Returns the question of each turn by its key. A page that resumes may see a question before its turn has started. */
export function questionsByTurn(state: RunState): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const event of state.other_events.filter(({ type }) => type === questionName)) {
    const turn = state.turns.findLast((each) => each.started_at <= event.timestamp) ?? state.turns[0];
    const text = textIn(event.data, 'text');
    if (turn !== undefined && text !== undefined) found.set(turn.key, text);
  }
  return found;
}

/** Returns the interrupts that have been answered, in this tab or another. */
export function answeredInterrupts(state: RunState): ReadonlySet<string> {
  return new Set(
    state.other_events
      .filter((event) => event.type === answeredName)
      .flatMap((event) => textIn(event.data, 'interrupt_id') ?? []),
  );
}
