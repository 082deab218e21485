import { buildInterruptEvent } from '../compile/interrupt-event.js';
import type { Call } from '../dependencies/call-book.js';
import { askService } from '../interrupts/ask-service.js';
import { InterruptError } from '../interrupts/errors.js';
import type { InterruptHandler, InterruptRequest } from '../interrupts/interrupt-service.js';
import { offeredChoice } from '../interrupts/offered-choice.js';
import type { InterruptInjection } from '../tools/references/injection.js';
import type { RunContext } from './run-context.js';

/** A question to a person. */
export interface Question {
  readonly request: InterruptRequest;
  /** Answers instead of the run's service. */
  readonly handler: InterruptHandler | undefined;
  /** The waiting call; absent if the orchestrator asks, whose event is already in the stream. */
  readonly waitingCallId: string | undefined;
  /** Another id by which the question can be answered. */
  readonly alias?: string | undefined;
}

/** The question of a call. Its prompt has no private values. */
type CallQuestion = Omit<InterruptInjection, 'kind' | 'prompt'> & {
  /** The name of the answer. */
  readonly name: string;
  readonly prompt: string;
};

/** The latest time that every reader of the event can parse, in milliseconds since the epoch. */
const LATEST_EXPIRY_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Gets the answer to a call's question. */
export async function askForCall(context: RunContext, call: Call, question: CallQuestion): Promise<unknown> {
  const { name, prompt, inputType, choices, handler, expiresInMs } = question;
  const clean = (text: string) => context.privateValues.cleanText(text);
  const request = {
    interruptId: context.runtime.uuid(),
    runId: context.runId,
    prompt,
    inputType,
    choices: choices.map(clean),
    toolName: call.toolName,
    argName: name,
    dataKey: name,
    expiresAt: Math.min(context.runtime.now() + expiresInMs, LATEST_EXPIRY_MS),
  };
  const answer = await askPerson(context, { request, handler, waitingCallId: call.id });
  return offeredChoice(answer, choices, clean);
}

/** Gets an answer from the handler, or else the run's service, or else `run.answer()` by a reader of the events. */
export async function askPerson(context: RunContext, question: Question): Promise<unknown> {
  const { request } = question;
  const ask = question.handler ?? context.interruptService?.ask.bind(context.interruptService);
  const { workSignal: signal, runtime } = context;
  const answer = ask
    ? await askService({ request, ask, now: runtime.now(), signal })
    : await askOpenly(context, question);
  // A password is a private value from here on.
  if (request.inputType === 'password') context.privateValues.add([{ name: request.dataKey, value: answer }]);
  return answer;
}

async function askOpenly(context: RunContext, { request, waitingCallId, alias }: Question): Promise<unknown> {
  if (!context.isAttended()) {
    throw new InterruptError(
      `'${request.argName}' needs an answer from a person, but nobody is reading the run's events. Pass a handler or an interruptService, or stream the run and call run.answer().`,
      { code: 'INTERRUPT_UNATTENDED' },
    );
  }
  const now = context.runtime.now();
  const event = waitingCallId === undefined ? undefined : buildInterruptEvent(request, waitingCallId, now);
  const answer = context.interrupts.wait(request, { signal: context.workSignal, now, alias });
  // The question is open before it is shown, so that it can be answered at once.
  if (event) await Promise.race([answer, context.emit(event)]);
  return answer;
}
