import { buildInterruptEvent } from '../compile/interrupt-event.js';
import type { Call } from '../dependencies/call-book.js';
import { askService } from '../interrupts/ask-service.js';
import { InterruptError } from '../interrupts/errors.js';
import type { InterruptHandler, InterruptRequest } from '../interrupts/interrupt-service.js';
import { offeredChoice } from '../interrupts/offered-choice.js';
import type { InterruptInjection } from '../tools/injection.js';
import type { RunContext } from './run-context.js';

/** How a question is put to a person. */
export interface Question {
  readonly request: InterruptRequest;
  /** Answers instead of the run's service. */
  readonly handler: InterruptHandler | undefined;
  /** The call that waits; absent if the orchestrator asks and its event is in the stream already. */
  readonly waitingCallId: string | undefined;
  /** Another id by which the question may be answered. */
  readonly alias?: string | undefined;
}

/** What a call asks. Its prompt is clean of private values already. */
type CallQuestion = Omit<InterruptInjection, 'kind' | 'prompt'> & {
  /** What the answer is called. */
  readonly name: string;
  readonly prompt: string;
};

/** The last moment that every reader of the event can read, in milliseconds since the epoch. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Gets the answer that a call waits for. */
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
    expiresAt: Math.min(context.runtime.now() + expiresInMs, LATEST),
  };
  const answer = await askPerson(context, { request, handler, waitingCallId: call.id });
  return offeredChoice(answer, choices, clean);
}

/** Gets an answer: from the handler, else the run's service, else from `run.answer()` by somebody who reads the events. */
export async function askPerson(context: RunContext, question: Question): Promise<unknown> {
  const { request } = question;
  const ask = question.handler ?? context.interruptService?.ask.bind(context.interruptService);
  const { workSignal: signal, runtime } = context;
  const answer = ask
    ? await askService({ request, ask, now: runtime.now(), signal })
    : await askOpenly(context, question);
  // What was typed as a password is private from here on.
  if (request.inputType === 'password') context.privateValues.add([{ name: request.dataKey, value: answer }]);
  return answer;
}

async function askOpenly(context: RunContext, { request, waitingCallId, alias }: Question): Promise<unknown> {
  if (!context.isAttended()) {
    throw new InterruptError(
      `'${request.argName}' needs a person's answer, but nobody reads the run's events. Give a handler or an interruptService, or stream the run and answer with run.answer().`,
      { code: 'INTERRUPT_UNATTENDED' },
    );
  }
  const now = context.runtime.now();
  const event = waitingCallId === undefined ? undefined : buildInterruptEvent(request, waitingCallId, now);
  const answer = context.interrupts.wait(request, { signal: context.workSignal, now, alias });
  // The question is open before it is shown, so that an answer can come at once.
  if (event) await Promise.race([answer, context.emit(event)]);
  return answer;
}
