import type {
  ElicitRequestParams,
  ElicitResult,
  LoggingMessageNotification,
  Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { cutText } from '../../cut-text.js';
import type { Logger } from '../../logging/logger.js';
import type { Runtime } from '../../runtime.js';
import type { ToolContext } from '../../tools/tool.js';
import type { ToolQuestion } from '../../tools/tool-reports.js';
import type { CallTimer } from './call-timer.js';
import { elicit } from './elicit.js';
import { EventAllowance } from './event-allowance.js';
import type { Secrets } from '../credentials/secrets.js';

/** A call that the server works on. */
export interface ActiveCall {
  readonly context: ToolContext;
  readonly timer: CallTimer;
}

/** How many questions one server may have open at once. */
const MOST_QUESTIONS = 4;
/** So much of a line is logged. What runs show is cut there, when their private values are out of it. */
const MAX_LINE_LENGTH = 4_000;

/** The calls that a server works on, so that what it says meanwhile reaches those who wait for them. */
export class ActiveCalls {
  readonly #calls = new Set<ActiveCall>();
  readonly #server: string;
  readonly #secrets: Secrets;
  readonly #logger: Logger;
  readonly #progress: EventAllowance;
  readonly #lines: EventAllowance;
  #questions = 0;

  constructor(parts: { server: string; secrets: Secrets; logger: Logger; runtime: Runtime }) {
    const { server, secrets, logger, runtime } = parts;
    this.#server = server;
    this.#secrets = secrets;
    this.#logger = logger;
    this.#progress = new EventAllowance({ maxEvents: 20, perMs: 1_000 }, runtime);
    this.#lines = new EventAllowance({ maxEvents: 50, perMs: 1_000 }, runtime);
  }

  /** Notes a call; what is returned takes it off. */
  add(call: ActiveCall): () => void {
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  /** Shows how far a call is, unless that is told too often. */
  showProgress(call: ActiveCall, { progress, total, message }: Progress): void {
    call.timer.touch();
    if (!this.#calls.has(call) || !this.#progress.take()) return;
    const cleaned = message === undefined ? undefined : this.#secrets.clean(message);
    this.#report(call.context.reportProgress({ progress, total, message: cleaned }));
  }

  /** Shows a line of the server's to every run that waits for it; without one it is logged. */
  showLine({ level, data }: LoggingMessageNotification['params']): void {
    if (!this.#lines.take()) return;
    const message = this.#secrets.clean(typeof data === 'string' ? data : JSON.stringify(data));
    const byRun = new Map([...this.#calls].map((call) => [call.context.runId, call]));
    if (byRun.size === 0)
      this.#logger.debug('An MCP server says:', { line: cutText(message, MAX_LINE_LENGTH) });
    for (const { context } of byRun.values())
      this.#report(context.reportLog({ level, message, source: this.#server }));
  }

  /** Puts a question of the server's to the person behind the run that waits for it. */
  async ask(params: ElicitRequestParams): Promise<ElicitResult> {
    const calls = [...this.#calls];
    const [first] = calls;
    const isOneRun = calls.every(({ context }) => context.runId === first?.context.runId);
    if (!first || !isOneRun || this.#questions >= MOST_QUESTIONS) {
      // The protocol does not say for which call it asks, and nobody must answer for another's run.
      this.#logger.warn(
        'A question of an MCP server was refused: it belongs to no run for certain, or there are too many.',
      );
      return { action: 'cancel' };
    }
    this.#questions += 1;
    try {
      const ask = async (question: ToolQuestion) => first.context.ask(question);
      const place = { server: this.#server, logger: this.#logger, ask };
      return await pauseAll(calls, async () => elicit(params, place));
    } catch (error) {
      this.#logger.info('A question of an MCP server was not answered.', { error });
      return { action: 'cancel' };
    } finally {
      this.#questions -= 1;
    }
  }

  #report(reported: Promise<void>): void {
    reported.catch((error: unknown) =>
      this.#logger.debug('A report of an MCP server had no reader.', { error }),
    );
  }
}

async function pauseAll<Answer>(calls: readonly ActiveCall[], ask: () => Promise<Answer>): Promise<Answer> {
  const [first, ...others] = calls;
  return first ? first.timer.pauseWhile(async () => pauseAll(others, ask)) : ask();
}
