import type { JsonValue } from '@svc/contracts';
import type { RunStore } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import type { Clock } from '../clock.js';
import type { PlanMessage } from '../planning/plan-context.js';

const TurnSchema = z.object({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() })),
});

/** What is remembered of a conversation, and for how long. */
export interface ThreadLimits {
  readonly maxTurns: number;
  readonly retentionMs: number;
}

/** The turns of conversations: what was asked and what was answered, by project and thread. */
export class ThreadLog {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #limits: ThreadLimits;

  constructor(store: RunStore, clock: Clock, limits: ThreadLimits) {
    this.#store = store;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The messages of earlier turns, oldest first. */
  async read(projectId: string, threadId: string): Promise<PlanMessage[]> {
    const documents = await this.#store.listDocuments({
      projectId,
      collection: collectionOf(threadId),
      nowMs: this.#clock.nowMs(),
      limit: this.#limits.maxTurns,
      newestFirst: true,
    });
    return documents.reverse().flatMap(({ value }) => TurnSchema.parse(value).messages);
  }

  /** Remembers a run's turn. Doing it twice is the same as once. */
  async write(turn: {
    projectId: string;
    threadId: string;
    sessionId: string;
    messages: readonly { role: 'user' | 'assistant'; content: string }[];
  }): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const value: JsonValue = { messages: turn.messages.map(({ role, content }) => ({ role, content })) };
    await this.#store.putDocument({
      projectId: turn.projectId,
      collection: collectionOf(turn.threadId),
      id: turn.sessionId,
      value,
      nowMs,
      expiresAtMs: nowMs + this.#limits.retentionMs,
    });
  }
}

function collectionOf(threadId: string): string {
  return `thread:${threadId}`;
}
