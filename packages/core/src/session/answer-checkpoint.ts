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
import type { InterruptInjection } from '../tools/references/injection.js';
import { INTERRUPT_EXPIRES_IN_MS } from '../tools/reports/question.js';
import { askPerson } from './ask-person.js';
import type { CallHost } from './execute-call.js';

/** Refusals of a late answer: the run continues with another answer, continues without one, or has ended. */
const TOO_LATE: ReadonlySet<string> = new Set(['CHECKPOINT_ANSWERED', 'CHECKPOINT_EXPIRED', 'RUN_ENDED']);

/** Answers the orchestrator's own questions while the stream is being read. */
export class CheckpointAnswerer {
  readonly #host: CallHost;
  readonly #post: (value: unknown) => Promise<void>;
  readonly #fail: (error: unknown) => void;
  /** The checkpoints of the open questions. */
  readonly #open = new Set<string>();
  /** The latest answer: resolves to the session to continue in, if an original orchestrator named another one. */
  #latest: Promise<string | undefined> | undefined;

  constructor(
    host: CallHost,
    options: { post: (value: unknown) => Promise<void>; fail: (error: unknown) => void },
  ) {
    this.#host = host;
    this.#post = options.post;
    this.#fail = options.fail;
  }

  /** Whether a question was asked, so that the run may continue in another session after an `interrupted` end. */
  get isAnswering(): boolean {
    return this.#latest !== undefined;
  }

  /** Returns the session to continue in after an `interrupted` end, if there is another one. */
  async nextSession(): Promise<string | undefined> {
    const next = await this.#latest;
    this.#latest = undefined;
    return next;
  }

  /** Starts to answer if the event is a question. */
  handle(name: string, payload: Readonly<Record<string, unknown>>): void {
    if (name === 'interrupt_required') this.#start(payload);
    if (name === 'interrupt_request') this.#startOlder(payload);
  }

  #start(payload: Readonly<Record<string, unknown>>): void {
    const parsed = InterruptRequiredPayloadSchema.safeParse(payload);
    if (!parsed.success) {
      // A finished event without a checkpoint belongs to another run and is only shown.
      if (payload['checkpoint_id']) {
        const fields = parsed.error.issues.map(({ path }) => path.join('.'));
        this.#host.context.logger.warn('A question of the orchestrator is invalid and cannot be answered.', {
          fields,
        });
      }
      return;
    }
    const { checkpoint_id: id } = parsed.data;
    // The orchestrator may repeat an open question; the person is asked only once.
    if (this.#open.has(id)) return;
    this.#open.add(id);
    this.#latest = this.#answer(parsed.data)
      .catch((error: unknown) => {
        this.#giveUp(error);
        return undefined;
      })
      .finally(() => this.#open.delete(id));
  }

  async #answer(question: InterruptRequiredPayload): Promise<string | undefined> {
    const { context, collected, setup } = this.#host;
    const request = this.#readRequest(question);
    const declared = this.#declarationOf(question);
    const handler = declared?.handler;
    const alias = question.checkpoint_id;
    const answer = await askPerson(context, { request, handler, waitingCallId: undefined, alias });
    // The orchestrator gets placeholders for private values, the tool the answer itself. A choice is the orchestrator's
    // own text.
    const cleaned = request.inputType === 'choice' ? answer : context.privateValues.clean(answer);
    const posting = context.api.answerCheckpoint(
      question.checkpoint_id,
      {
        interrupt_data: { [question.data_key]: cleaned },
        ...(question.args_digest ? { args_digest: question.args_digest } : {}),
      },
      context.workSignal,
    );
    const { tool_name: named } = question;
    const choice = offeredChoice(answer, declared?.choices ?? [], (text) =>
      context.privateValues.cleanText(text),
    );
    const collectedAnswer = posting.then(
      () => ({ answer: choice }),
      () => undefined,
    );
    collected.add(named && setup.planned.has(named) ? named : undefined, question.data_key, collectedAnswer);
    const answered = await posting;
    return answered.session_id === this.#host.sessionId ? undefined : answered.session_id;
  }

  #readRequest(question: InterruptRequiredPayload): InterruptRequest {
    const { context } = this.#host;
    const expiresAt = Date.parse(question.expires_at ?? '');
    const choices = question.choices ?? [];
    return {
      interruptId: question.interrupt_id || question.checkpoint_id,
      runId: context.runId,
      prompt: question.prompt,
      inputType: parseInputType(question.input_type, choices),
      choices,
      toolName: question.tool_name || undefined,
      argName: question.arg_name || question.data_key,
      dataKey: question.data_key,
      expiresAt: Number.isNaN(expiresAt) ? context.runtime.now() + INTERRUPT_EXPIRES_IN_MS : expiresAt,
    };
  }

  /** Returns the tool's own declaration of the question for this argument. */
  #declarationOf(question: InterruptRequiredPayload): InterruptInjection | undefined {
    const planned = this.#host.setup.planned.get(question.tool_name ?? '');
    const injection = planned?.tool.inject.get(question.arg_name || question.data_key);
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

  /** Leaves a question that expired or was answered elsewhere to the orchestrator; any other error ends the run. */
  #giveUp(error: unknown): void {
    const { context } = this.#host;
    if (context.workSignal.aborted) return;
    if (error instanceof InterruptError && error.code === 'INTERRUPT_EXPIRED') {
      context.logger.info('A question of the orchestrator expired unanswered.');
      return;
    }
    if (isSdkError(error) && TOO_LATE.has(error.code)) {
      context.logger.warn('The orchestrator refused an answer because it came too late.', {
        code: error.code,
      });
      return;
    }
    this.#fail(error);
  }
}

/** A `literal` is a choice. An unknown type, or a choice without choices, is answered as text. */
function parseInputType(type: string | null | undefined, choices: readonly string[]): InterruptInputType {
  const inputType = type === 'literal' ? 'choice' : type;
  const known = INPUT_TYPES.find((name) => name === inputType) ?? 'text';
  return known === 'choice' && choices.length === 0 ? 'text' : known;
}
