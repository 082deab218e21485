import type {
  ActionCard as Action,
  Card,
  InterruptCard,
  MessageCard,
  ScopeCard,
  StatusCard,
  Turn,
} from '@svc/client';
import { ActionCard } from './action-card.js';
import { Answer } from './answer.js';
import { HooksList } from './hooks-list.js';
import { InterruptForm } from './interrupt-form.js';

interface TurnViewProps {
  sessionId: string;
  turn: Turn;
  question: string | undefined;
  answeredInterrupts: ReadonlySet<string>;
}

const ofKind = <Kind extends Card['kind']>(cards: readonly Card[], kind: Kind) =>
  cards.filter((card): card is Extract<Card, { kind: Kind }> => card.kind === kind);

/** Cards of a swarm member's own tools are inside the member's card. */
function nest(actions: readonly Action[]) {
  const members = actions.filter((card) => card.assignment !== null || card.tool?.type === 'agent');
  const memberOf = (card: Action) =>
    members.findLast(
      (member) =>
        member !== card && member.started_at <= card.started_at && member.agent_name === card.agent_name,
    );
  return actions
    .filter((card) => members.includes(card) || memberOf(card) === undefined)
    .map((card) => ({
      card,
      inner: actions.filter((other) => !members.includes(other) && memberOf(other) === card),
    }));
}

function Actions({ cards }: { cards: readonly Action[] }) {
  if (cards.length === 0) return null;
  return (
    <ul className="cards" aria-label="Steps">
      {nest(cards).map(({ card, inner }) => (
        <ActionCard key={card.key} card={card}>
          {inner.length > 0 && (
            <ul className="cards">
              {inner.map((each) => (
                <ActionCard key={each.key} card={each} />
              ))}
            </ul>
          )}
        </ActionCard>
      ))}
    </ul>
  );
}

function answerText(turn: Turn, messages: readonly MessageCard[]): string {
  return turn.output?.response || messages.findLast((message) => message.text !== '')?.text || '';
}

/** What is happening, in words; nothing while the run waits for the user. */
const statusLine = (statuses: readonly StatusCard[], turn: Turn, isWaiting: boolean) =>
  turn.status === 'running' && !isWaiting
    ? (statuses.at(-1)?.message ?? turn.enrichment?.message)
    : undefined;

/** A turn: the question, the actions, the interrupts, and the answer. */
export function TurnView({ sessionId, turn, question, answeredInterrupts }: TurnViewProps) {
  const scopes: ScopeCard[] = ofKind(turn.cards, 'scope');
  const interrupts: InterruptCard[] = ofKind(turn.cards, 'interrupt');
  const text = answerText(turn, ofKind(turn.cards, 'message'));
  const isWaiting = interrupts.some(
    (card) => card.status === 'pending' && !answeredInterrupts.has(card.interrupt.id ?? ''),
  );
  const isRunning = turn.status === 'running';
  const line = statusLine(ofKind(turn.cards, 'status'), turn, isWaiting);
  return (
    <article className="turn" data-status={turn.status}>
      {question && <h2 className="question">{question}</h2>}
      {scopes.map((scope) => (
        <HooksList key={scope.key} hooks={scope.hooks} stage="before" />
      ))}
      <Actions cards={ofKind(turn.cards, 'action')} />
      {interrupts.map((card) => (
        <InterruptForm
          key={card.key}
          sessionId={sessionId}
          card={card}
          answered={answeredInterrupts.has(card.interrupt.id ?? '')}
        />
      ))}
      {line && <p className="status-line">{line}</p>}
      {/* Outside the live part, in which a screen reader reads what is there again with each piece. */}
      {isRunning && text && <Answer text={text} />}
      <div aria-live="polite">
        {!isRunning && text && <Answer text={text} />}
        {turn.status === 'cancelled' && <p className="notice">Stopped.</p>}
        {turn.error_info && turn.status !== 'cancelled' && (
          <p className="notice failure" role="alert">
            {turn.error_info.message}
          </p>
        )}
      </div>
      {scopes.map((scope) => (
        <HooksList key={scope.key} hooks={scope.hooks} stage="after" />
      ))}
    </article>
  );
}
