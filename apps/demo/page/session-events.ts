import type { RunState } from '@svc/client';

/** Events of the demo itself, next to those of the contract: what was asked, and which interrupts have an answer. */
const questionName = 'demo_question';
const answeredName = 'demo_interrupt_answered';

const textIn = (data: unknown, field: string) => {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, field) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** The question of each turn, by the turn's key. A page that resumes may see a question before its turn has begun. */
export function questionsByTurn(state: RunState): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const event of state.other_events.filter(({ type }) => type === questionName)) {
    const turn = state.turns.findLast((each) => each.started_at <= event.timestamp) ?? state.turns[0];
    const text = textIn(event.data, 'text');
    if (turn !== undefined && text !== undefined) found.set(turn.key, text);
  }
  return found;
}

/** The interrupts that somebody has answered, in this tab or another. */
export function answeredInterrupts(state: RunState): ReadonlySet<string> {
  return new Set(
    state.other_events
      .filter((event) => event.type === answeredName)
      .flatMap((event) => textIn(event.data, 'interrupt_id') ?? []),
  );
}
