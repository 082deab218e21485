import type { JsonValue } from '@svc/contracts';
import type { RunStore } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import type { Clock } from '../../clock.js';
import { cutText } from '../../cut-text.js';
import type { PlanMessage } from '../../planning/plan-context.js';
import { parseDocument } from '../../store/parse-document.js';

const MessageSchema = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });
const TurnSchema = z.object({ messages: z.array(MessageSchema) });
type Message = z.infer<typeof MessageSchema>;

/** Characters remembered of one message: as many as a model is shown of a result. */
const maxMessageLength = 60_000;
/**
 * Characters of earlier turns that a run receives. A thread that overfilled a model's context would do so forever:
 * failed runs are not remembered, so the excess turns would never be displaced.
 */
const maxLength = 200_000;
/** Added to each message's length, so that many short ones count too. */
const messageOverhead = 20;

/** How much of a conversation is remembered, and for how long. */
export interface ThreadLimits {
  readonly maxTurns: number;
  readonly retentionMs: number;
}

/** The turns of conversations, questions and answers, by project and thread. */
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
    return newest(documents.reverse().map((document) => parseDocument(TurnSchema, document).messages));
  }

  /** Remembers a run's turn. Idempotent. */
  async write(turn: {
    projectId: string;
    threadId: string;
    sessionId: string;
    messages: readonly Message[];
  }): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const messages = turn.messages.map(({ role, content }) => [
      { role, content: cutText(content, maxMessageLength) },
    ]);
    const value: JsonValue = { messages: newest(messages) };
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

/** The messages of the newest groups that fit the limit together. */
function newest(groups: readonly Message[][]): Message[] {
  let left = maxLength;
  const tooOld = groups.findLastIndex((messages) => {
    for (const { content } of messages) left -= content.length + messageOverhead;
    return left < 0;
  });
  return groups.slice(tooOld + 1).flat();
}

function collectionOf(threadId: string): string {
  return `thread:${threadId}`;
}
