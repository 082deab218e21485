import type { ActionCard as Action } from '@svc/client';
import { HooksList } from './hooks-list.js';
import { Value } from './value.js';

const words: Record<Action['status'], string> = {
  pending: 'waiting',
  running: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'stopped',
  unknown: 'outcome unknown',
};

function durationText(card: Action): string | undefined {
  if (card.status === 'running' || card.status === 'pending') return undefined;
  const elapsed = Date.parse(card.updated_at) - Date.parse(card.started_at);
  return Number.isFinite(elapsed) ? `${elapsed} ms` : undefined;
}

/** A call of a tool or a system tool, or a task given to an agent. */
export function ActionCard({ card, children }: { card: Action; children?: React.ReactNode }) {
  const { tool, assignment } = card;
  const isAgent = assignment !== null || tool?.type === 'agent';
  const name = tool?.name ?? assignment?.agent_name ?? card.id;
  const kind = isAgent ? 'agent' : tool?.type === 'system' ? 'system tool' : 'tool';
  const error = tool?.error ?? assignment?.error;
  return (
    <li className="card" data-card={card.id} data-kind={kind}>
      <HooksList hooks={card.hooks} stage="before" />
      <details open={card.status === 'failed' || undefined}>
        <summary>
          <span className="name">{name}</span>
          <span className="by">
            {kind}
            {!isAgent && card.agent_name ? ` of ${card.agent_name}` : ''}
          </span>
          <span className="duration">{durationText(card)}</span>
          <span className="state" data-state={card.status}>
            {words[card.status]}
          </span>
        </summary>
        <div className="body">
          <Value title="Task" value={assignment?.task} />
          <Value title="Arguments" value={tool?.args} />
          <Value
            title="Progress"
            value={card.chunks.map((chunk) => chunk.text ?? '').join('') || undefined}
          />
          <Value title="Error" value={error} />
          <Value title="Result" value={tool?.result ?? assignment?.result} />
        </div>
      </details>
      {children}
      <HooksList hooks={card.hooks} stage="after" />
    </li>
  );
}
