import type { EventLog } from '@svc/events';

/** Writes finished frames into a log without a bridge, and keeps about as many as a bridge would. */
export class FrameWriter {
  readonly #log: EventLog;
  readonly #maxHistory: number;
  readonly #sessions = new Map<string, { readonly epoch: string; seq: number }>();

  constructor(log: EventLog, maxHistory: number) {
    this.#log = log;
    this.#maxHistory = maxHistory;
  }

  async open(sessionId: string): Promise<void> {
    const { epoch } = await this.#log.open(sessionId);
    this.#sessions.set(sessionId, { epoch, seq: 0 });
  }

  append(sessionId: string, frames: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw new Error(`session '${sessionId}' has not been opened`);
    const { epoch } = session;
    const seq = (session.seq += 1);
    void this.#log.append({ sessionId, seq, kind: 'event', frames }, session);
    if (seq % this.#maxHistory !== 0) return;
    void this.#log.trim(sessionId, { throughSeq: seq - this.#maxHistory, epoch, checkpoint: null });
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
