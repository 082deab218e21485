import { AsyncLocalStorage } from 'node:async_hooks';
import type { ElicitResult, LoggingMessageNotification, Progress } from '@modelcontextprotocol/client';
import { cutText } from '../../cut-text.js';
import type { Logger } from '../../logging/logger.js';
import type { Runtime } from '../../runtime.js';
import type { ToolContext } from '../../tools/declaration/tool.js';
import type { ToolQuestion } from '../../tools/reports/tool-reports.js';
import type { CallTimer } from './call-timer.js';
import { elicit } from './elicit.js';
import { EventAllowance } from './event-allowance.js';
import type { Secrets } from '../credentials/secrets.js';

/** A running call of the server's tools. */
export interface ActiveCall {
  readonly context: ToolContext;
  readonly timer: CallTimer;
}

/** The maximum number of open questions of one server outside its calls; in a call, it can only ask one after another. */
const MAX_QUESTIONS = 4;
/** The maximum length of a logged line. Lines shown in runs are cut there, after their private values are removed. */
const MAX_LINE_LENGTH = 4_000;

/** The running calls of a server, so that its notifications reach the runs that wait for them. */
export class ActiveCalls {
  readonly #calls = new Set<ActiveCall>();
  /** The call whose response is read; weak, because a connection that outlives the call keeps this. */
  readonly #current = new AsyncLocalStorage<WeakRef<ActiveCall>>();
  readonly #server: string;
  readonly #secrets: Secrets;
  readonly #logger: Logger;
  readonly #progress: EventAllowance;
  readonly #lines: EventAllowance;
  readonly #refusals: EventAllowance;
  #questions = 0;

  constructor(parts: { server: string; secrets: Secrets; logger: Logger; runtime: Runtime }) {
    const { server, secrets, logger, runtime } = parts;
    this.#server = server;
    this.#secrets = secrets;
    this.#logger = logger;
    this.#progress = new EventAllowance({ maxEvents: 20, perMs: 1_000 }, runtime);
    this.#lines = new EventAllowance({ maxEvents: 50, perMs: 1_000 }, runtime);
    this.#refusals = new EventAllowance({ maxEvents: 1, perMs: 1_000 }, runtime);
  }

  /** Adds a call; returns a function that removes it. */
  add(call: ActiveCall): () => void {
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  /** Sends a call, whose response alone has its log lines. */
  async send<Result>(call: ActiveCall, send: () => Promise<Result>): Promise<Result> {
    return this.#current.run(new WeakRef(call), send);
  }

  /** Reports the progress of a call, unless there are too many reports. */
  showProgress(call: ActiveCall, { progress, total, message }: Progress): void {
    call.timer.touch();
    if (!this.#calls.has(call) || !this.#progress.take()) return;
    const cleaned = message === undefined ? undefined : this.#secrets.clean(message);
    this.#report(call.context.reportProgress({ progress, total, message: cleaned }));
  }

  /**
   * Reports a log line of the server to the run of its call, or, as the protocol of servers with sessions does not say
   * which that is, to every run with a running call; without one, it is logged.
   */
  showLine({ level, data }: LoggingMessageNotification['params']): void {
    if (!this.#lines.take()) return;
    const message = this.#secrets.clean(typeof data === 'string' ? data : JSON.stringify(data));
    const own = this.#current.getStore();
    const calls = [...this.#calls].filter((call) => !own || call === own.deref());
    const byRun = new Map(calls.map((call) => [call.context.runId, call]));
    if (byRun.size === 0)
      this.#logger.debug('Log line of an MCP server.', { line: cutText(message, MAX_LINE_LENGTH) });
    for (const { context } of byRun.values())
      this.#report(context.reportLog({ level, message, source: this.#server }));
  }

  /**
   * Forwards a question of a server with a session to the person behind the run with the running call. The signal aborts
   * when the server withdraws it.
   */
  async ask(params: unknown, signal: AbortSignal): Promise<ElicitResult> {
    const calls = [...this.#calls];
    const [first] = calls;
    const isOneRun = calls.every(({ context }) => context.runId === first?.context.runId);
    // The protocol does not say which call such a question belongs to, and nobody may answer for another run.
    if (!first || !isOneRun || this.#questions >= MAX_QUESTIONS) return this.#refuse();
    this.#questions += 1;
    try {
      return await this.#forward(params, [first, ...calls.slice(1)], signal);
    } finally {
      this.#questions -= 1;
    }
  }

  /** Forwards a question in a call to the person behind its run. */
  async askFor(call: ActiveCall, params: unknown, signal: AbortSignal): Promise<ElicitResult> {
    return this.#forward(params, [call], signal);
  }

  async #forward(
    params: unknown,
    calls: readonly [ActiveCall, ...ActiveCall[]],
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    try {
      const ask = async (question: ToolQuestion) => calls[0].context.ask({ ...question, signal });
      const context = { server: this.#server, logger: this.#logger, ask };
      return await pauseAll(calls, async () => elicit(params, context));
    } catch (error) {
      this.#logger.info('A question of an MCP server was not answered.', { error });
      return { action: 'cancel' };
    }
  }

  #refuse(): ElicitResult {
    if (this.#refusals.take())
      this.#logger.warn(
        'A question of an MCP server was refused: it cannot be assigned to one run, or too many are open.',
      );
    return { action: 'cancel' };
  }

  #report(reported: Promise<void>): void {
    reported.catch((error: unknown) =>
      this.#logger.debug('A report of an MCP server could not be shown.', { error }),
    );
  }
}

async function pauseAll<Answer>(calls: readonly ActiveCall[], ask: () => Promise<Answer>): Promise<Answer> {
  const [first, ...others] = calls;
  return first ? first.timer.pauseWhile(async () => pauseAll(others, ask)) : ask();
}
