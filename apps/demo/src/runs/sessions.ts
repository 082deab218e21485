import type { AgentRun } from '@svc/core';

/** Who answers in a session: one agent, or the swarm. */
export type RunMode = 'agent' | 'swarm';

/** A conversation: what the page lists, and the run in progress. */
export interface DemoSession {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  mode: RunMode;
  turns: number;
  /** The session's first event: resuming after it shows every turn. */
  firstEventId: string | undefined;
  run: AgentRun | undefined;
}

/** The sessions of this process, newest first. At the limit, the oldest idle one is removed. */
export class DemoSessions {
  readonly #sessions = new Map<string, DemoSession>();
  readonly #limit: number;

  constructor(limit = 100) {
    this.#limit = limit;
  }

  get(id: string): DemoSession | undefined {
    return this.#sessions.get(id);
  }

  list(): DemoSession[] {
    return [...this.#sessions.values()].toReversed();
  }

  /** Adds a session and returns the ids of those removed for it. Adds nothing when every session is busy. */
  add(session: DemoSession): { added: boolean; removed: string[] } {
    const removed: string[] = [];
    for (const [id, { run }] of this.#sessions) {
      if (this.#sessions.size < this.#limit) break;
      if (run === undefined && this.#sessions.delete(id)) removed.push(id);
    }
    const added = this.#sessions.size < this.#limit;
    if (added) this.#sessions.set(session.id, session);
    return { added, removed };
  }
}
