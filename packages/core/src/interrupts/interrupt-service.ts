import { hasFunctions, invalidOption } from '../config/options.js';
import type { InterruptInputType } from './input-type.js';

/** A question to a person. */
export interface InterruptRequest {
  /** The id that `run.answer()` expects. */
  readonly interruptId: string;
  /** The id of the waiting run. */
  readonly runId: string;
  /** The question, without private values. */
  readonly prompt: string;
  /** The type of the answer; an answer of another type is refused. */
  readonly inputType: InterruptInputType;
  /** The allowed answers of a choice; otherwise empty. */
  readonly choices: readonly string[];
  /** The waiting tool. */
  readonly toolName: string | undefined;
  /** The argument that the answer fills. */
  readonly argName: string;
  /** The name of the answer; a password becomes a private value with this name. */
  readonly dataKey: string;
  /** The time when the question expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Answers the questions of one tool in this process. An error that it throws fails the call. */
export type InterruptHandler = (request: InterruptRequest, options: { signal: AbortSignal }) => unknown;

/** Asks a person, for example in a terminal or a chat window. An error that it throws fails the waiting call. */
export interface InterruptService {
  /** Resolves to the answer. The signal aborts when the question expires or the run ends. */
  ask(request: InterruptRequest, options: { signal: AbortSignal }): Promise<unknown>;
}

/** Whether a value is an interrupt service. */
export function isInterruptService(value: unknown): value is InterruptService {
  return hasFunctions(value, ['ask']);
}

let processService: InterruptService | undefined;

/** Returns the service of this process, which answers for every agent without its own. */
export function getInterruptService(): InterruptService | undefined {
  return processService;
}

/** Sets the service of this process; `undefined` removes it. Without a service, questions stay open for `run.answer()`. */
export function setInterruptService(service: InterruptService | undefined): void {
  const next = service ?? undefined;
  if (next !== undefined && !isInterruptService(next)) {
    throw invalidOption('setInterruptService', 'expects a service with an ask() method');
  }
  processService = next;
}
