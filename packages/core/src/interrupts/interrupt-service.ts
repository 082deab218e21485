import { hasFunctions, invalidOption } from '../config/options.js';
import type { InterruptInputType } from './input-type.js';

/** A question to a person. */
export interface InterruptRequest {
  /** What `run.answer()` takes. */
  readonly interruptId: string;
  /** The run that waits. */
  readonly runId: string;
  /** The question, clean of private values. */
  readonly prompt: string;
  /** What the answer must be; one of another type is refused. */
  readonly inputType: InterruptInputType;
  /** The allowed answers of a choice; else empty. */
  readonly choices: readonly string[];
  /** The tool that waits, and its argument. */
  readonly toolName: string | undefined;
  readonly argName: string;
  /** What the answer is called; a password is private under this name. */
  readonly dataKey: string;
  /** When the question expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Answers a question of one tool in this process. What it throws fails the call. */
export type InterruptHandler = (request: InterruptRequest, options: { signal: AbortSignal }) => unknown;

/** Asks a person, such as a terminal or a chat window. What it throws fails the waiting call. */
export interface InterruptService {
  /** Resolves with the answer; the signal aborts when the question expires or the run ends. */
  ask(request: InterruptRequest, options: { signal: AbortSignal }): Promise<unknown>;
}

/** Whether this can ask a person. */
export function isInterruptService(value: unknown): value is InterruptService {
  return hasFunctions(value, ['ask']);
}

let processService: InterruptService | undefined;

/** The service that answers for every agent of this process that has none of its own. */
export function getInterruptService(): InterruptService | undefined {
  return processService;
}

/** Sets, or with `undefined` removes, the service for this process. Without one, questions stay open for `run.answer()`. */
export function setInterruptService(service: InterruptService | undefined): void {
  const given = service ?? undefined;
  if (given !== undefined && !isInterruptService(given)) {
    throw invalidOption('setInterruptService', 'takes a service with a function ask');
  }
  processService = given;
}
