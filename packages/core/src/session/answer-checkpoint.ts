import {
  InterruptRequestPayloadSchema,
  InterruptRequiredPayloadSchema,
  type InterruptRequiredPayload,
} from '@svc/contracts/orchestrator';
import { isSdkError } from '@svc/contracts/sdk-error';
import { InterruptError } from '../interrupts/errors.js';
import { INPUT_TYPES, type InterruptInputType } from '../interrupts/input-type.js';
import type { InterruptRequest } from '../interrupts/interrupt-service.js';
import { offeredChoice } from '../interrupts/offered-choice.js';
import type { InterruptInjection } from '../tools/injection.js';
import { INTERRUPT_EXPIRES_IN_MS } from '../tools/question.js';
import { askPerson } from './ask-person.js';
import type { CallHost } from './execute-call.js';

/** Refusals of an answer that came too late: the run goes on with another one, goes on without, or has its end on the stream. */
const TOO_LATE: ReadonlySet<string> = new Set(['CHECKPOINT_ANSWERED', 'CHECKPOINT_EXPIRED', 'RUN_ENDED']);

/** Answers the questions that the orchestrator itself asks, while the stream is read on. */
export class CheckpointAnswerer {
  readonly #host: CallHost;
  readonly #post: (value: unknown) => Promise<void>;
  readonly #fail: (error: unknown) => void;
  /** The latest question's end: the session to go on in, if an original orchestrator named another one. */
  #latest: Promise<string | undefined> | undefined;

  constructor(
    host: CallHost,
    options: { post: (value: unknown) => Promise<void>; fail: (error: unknown) => void },
  ) {
    this.#host = host;
    this.#post = options.post;
    this.#fail = options.fail;
  }

  /** Whether a question was asked, so that an `interrupted` end may go on elsewhere. */
  get isAnswering(): boolean {
    return this.#latest !== undefined;
  }

  /** The session to follow after an `interrupted` end, if the answer led to another one. */
  async nextSession(): Promise<string | undefined> {
    const next = await this.#latest;
    this.#latest = undefined;
    return next;
  }

  /** Starts answering if this event is a question. */
  handle(name: string, payload: Readonly<Record<string, unknown>>): void {
    if (name === 'interrupt_required') this.#start(payload);
    if (name === 'interrupt_request') this.#startOlder(payload);
  }

  #start(payload: Readonly<Record<string, unknown>>): void {
    const parsed = InterruptRequiredPayloadSchema.safeParse(payload);
    if (!parsed.success) {
      // A finished event without a checkpoint belongs to somebody else's run and is only shown.
      if (payload['checkpoint_id']) {
        const fields = parsed.error.issues.map(({ path }) => path.join('.'));
        this.#host.context.logger.warn('A question cannot be read, so nobody can answer it.', { fields });
      }
      return;
    }
    this.#latest = this.#answer(parsed.data).catch((error: unknown) => {
      this.#giveUp(error);
      return undefined;
    });
  }

  async #answer(asked: InterruptRequiredPayload): Promise<string | undefined> {
    const { context, collected, sessionId, setup } = this.#host;
    const request = this.#readRequest(asked);
    const declared = this.#declarationOf(asked);
    const handler = declared?.handler;
    const alias = asked.checkpoint_id;
    const answer = await askPerson(context, { request, handler, waitingCallId: undefined, alias });
    // The orchestrator is told the name of what is private; the tool gets the answer itself. A choice is its own word.
    const told = request.inputType === 'choice' ? answer : context.privateValues.clean(answer);
    const answered = await context.api.answerCheckpoint(
      asked.checkpoint_id,
      {
        interrupt_data: { [asked.data_key]: told },
        ...(asked.args_digest ? { args_digest: asked.args_digest } : {}),
      },
      context.workSignal,
    );
    const { tool_name: named } = asked;
    const given = offeredChoice(answer, declared?.choices ?? [], (text) =>
      context.privateValues.cleanText(text),
    );
    collected.add(named && setup.planned.has(named) ? named : undefined, asked.data_key, given);
    return answered.session_id === sessionId ? undefined : answered.session_id;
  }

  #readRequest(asked: InterruptRequiredPayload): InterruptRequest {
    const { context } = this.#host;
    const expiresAt = Date.parse(asked.expires_at ?? '');
    const choices = asked.choices ?? [];
    return {
      interruptId: asked.interrupt_id || asked.checkpoint_id,
      runId: context.runId,
      prompt: asked.prompt,
      inputType: parseInputType(asked.input_type, choices),
      choices,
      toolName: asked.tool_name || undefined,
      argName: asked.arg_name || asked.data_key,
      dataKey: asked.data_key,
      expiresAt: Number.isNaN(expiresAt) ? context.runtime.now() + INTERRUPT_EXPIRES_IN_MS : expiresAt,
    };
  }

  /** What the tool itself declared of the question for this argument. */
  #declarationOf(asked: InterruptRequiredPayload): InterruptInjection | undefined {
    const planned = this.#host.setup.planned.get(asked.tool_name ?? '');
    const injection = planned?.tool.inject.get(asked.arg_name || asked.data_key);
    return injection?.kind === 'interrupt' ? injection : undefined;
  }

  #startOlder(payload: Readonly<Record<string, unknown>>): void {
    const parsed = InterruptRequestPayloadSchema.safeParse(payload);
    if (!parsed.success) return;
    const { id, value } = parsed.data;
    const { context } = this.#host;
    const now = context.runtime.now();
    const clean = (answer: unknown) => context.privateValues.clean(answer);
    const request: InterruptRequest = {
      interruptId: id,
      runId: context.runId,
      prompt: value.prompt,
      inputType: 'text',
      choices: [],
      toolName: value.tool_name ?? undefined,
      argName: value.arg_name,
      dataKey: value.arg_name,
      expiresAt: now + INTERRUPT_EXPIRES_IN_MS,
    };
    void askPerson(context, { request, handler: undefined, waitingCallId: id }).then(
      async (answer) => this.#post({ [id]: { arg_name: value.arg_name, value: clean(String(answer)) } }),
      (error: unknown) => this.#giveUp(error),
    );
  }

  /** A question that expired, or was answered elsewhere, is the orchestrator's to judge; anything else ends the run. */
  #giveUp(error: unknown): void {
    const { context } = this.#host;
    if (context.workSignal.aborted) return;
    if (error instanceof InterruptError && error.code === 'INTERRUPT_EXPIRED') {
      context.logger.info('A question of the orchestrator expired without an answer.');
      return;
    }
    if (isSdkError(error) && TOO_LATE.has(error.code)) {
      context.logger.warn('An answer came too late, and the orchestrator did not take it.', {
        code: error.code,
      });
      return;
    }
    this.#fail(error);
  }
}

/** A `literal` is a choice of a few; what is not known, or a choice of none, is answered in words. */
function parseInputType(type: string | null | undefined, choices: readonly string[]): InterruptInputType {
  const wanted = type === 'literal' ? 'choice' : type;
  const known = INPUT_TYPES.find((name) => name === wanted) ?? 'text';
  return known === 'choice' && choices.length === 0 ? 'text' : known;
}
