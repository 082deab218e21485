import {
  APICallError,
  InvalidPromptError,
  LoadAPIKeyError,
  NoSuchModelError,
  RetryError,
  StreamProviderError,
  UnsupportedFunctionalityError,
  type LanguageModel,
} from 'ai';
import { cutText } from '../../cut-text.js';
import { isJsonObject, textOf } from '../../json-object.js';
import { PlannerError } from '../planner-error.js';
import { withoutKey } from './model-keys.js';

/** Statuses whose body explains what is wrong with the request; bodies of others may quote the key. */
const explanatoryStatuses = new Set([400, 404, 413, 422]);
const maxDetail = 300;
/** Some services also reject a key with one of those statuses, and quote it. */
const mentionsKey = /api[ _-]?key|authori[sz]|credential|bearer|\bsk-/i;

/** A service's refusal: as a response, or as an event of a response that had begun. */
type Refusal = APICallError | StreamProviderError;

/** The statuses behind the codes and types of events, which have no status of their own. */
const statusesByCode: readonly (readonly [number, RegExp])[] = [
  [429, /rate_?limit|quota|too_?many/],
  [401, /authentication|api_?key/],
  [403, /permission/],
  [404, /not_?found/],
  [400, /invalid|bad_?request|context_?length/],
];

function statusOf(error: Refusal): number | undefined {
  if (error.statusCode !== undefined || APICallError.isInstance(error)) return error.statusCode;
  const said = `${error.code ?? ''} ${error.type ?? ''}`.toLowerCase();
  return statusesByCode.find(([, pattern]) => pattern.test(said))?.[0];
}

/** The message of a response body: `{error}`, or an event in its place, such as `{response: {error}}`. */
function messageIn(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const { error, response, message } = body;
  return textOf(error) ?? messageIn(error) ?? messageIn(response) ?? textOf(message);
}

function providerMessage(refusal: Refusal): string | undefined {
  if (!APICallError.isInstance(refusal)) return refusal.message;
  try {
    return messageIn(JSON.parse(refusal.responseBody ?? ''));
  } catch {
    // Not every provider answers with JSON; the status is enough.
    return undefined;
  }
}

/** The wait in seconds, or until a date, measured by the service's own clock. */
function retryAfterSeconds({ responseHeaders }: APICallError): number | undefined {
  const { 'retry-after': wait = '', date = '' } = responseHeaders ?? {};
  const seconds = wait.endsWith('GMT')
    ? (Date.parse(wait) - Date.parse(date)) / 1000
    : Number.parseFloat(wait);
  return seconds >= 0 ? seconds : undefined;
}

/** The service's message about the request, without any key it quotes. */
async function messageWithoutKey(error: Refusal, model: LanguageModel): Promise<string | undefined> {
  const said = providerMessage(error);
  if (said === undefined) return undefined;
  return cutText(await withoutKey(said, model), maxDetail);
}

async function fromRefusal(error: Refusal, model: LanguageModel): Promise<PlannerError> {
  const statusCode = statusOf(error);
  const details = statusCode === undefined ? {} : { status_code: statusCode };
  if (statusCode === 429) {
    const retryAfter = APICallError.isInstance(error) ? retryAfterSeconds(error) : undefined;
    const when = retryAfter === undefined ? 'later' : `in ${Math.ceil(retryAfter)} s`;
    return new PlannerError(
      `The model service accepts no more requests for now. Try again ${when} or use another model.`,
      {
        code: 'PLANNER_RATE_LIMITED',
        details: { ...details, ...(retryAfter === undefined ? {} : { retry_after_s: retryAfter }) },
        cause: error,
      },
    );
  }
  // A successful response that broke off later still has its status 200.
  if (statusCode !== undefined && statusCode < 400) return incompleteAnswer(error);
  const isOutage = statusCode === undefined || statusCode >= 500 || statusCode === 408;
  if (isOutage && StreamProviderError.isInstance(error)) {
    const said = await messageWithoutKey(error, model);
    const why = said === undefined || mentionsKey.test(said) ? '.' : `: ${said}`;
    return new PlannerError(`The model service stopped with an error${why}`, {
      code: 'PLANNER_UNAVAILABLE',
      details,
      cause: error,
    });
  }
  if (isOutage) {
    const what = statusCode === undefined ? 'cannot be reached' : `answered ${statusCode}`;
    return new PlannerError(
      `The model service ${what}. Check that it is running and that SVC_MODEL_BASE_URL is correct.`,
      {
        code: 'PLANNER_UNAVAILABLE',
        details,
        cause: error,
      },
    );
  }
  const said = explanatoryStatuses.has(statusCode) ? await messageWithoutKey(error, model) : undefined;
  const more = explainRejection(statusCode, said);
  return new PlannerError(`The model service rejected the request (${statusCode})${more}`, {
    code: 'PLANNER_REJECTED',
    details,
    cause: error,
  });
}

function explainRejection(statusCode: number, said: string | undefined): string {
  if (statusCode === 401 || statusCode === 403 || (said !== undefined && mentionsKey.test(said)))
    return '. Check the model’s key and its permissions.';
  const why = said ? `: ${said}` : '.';
  if (statusCode !== 404) return why;
  // Services answer it to a model that they do not have, and to a URL that lacks a part, such as `/v1`.
  return `${/[.!?]$/.test(why) ? why : `${why}.`} Check the name of the model and the URL of its service (SVC_MODEL_BASE_URL).`;
}

const incompleteAnswer = (cause: unknown) =>
  new PlannerError(
    'The model call ended before the answer was complete. If this happens every time, check the URL of the model service (SVC_MODEL_BASE_URL).',
    { code: 'PLANNER_UNAVAILABLE', cause },
  );

/** The refusal behind an error; errors of the AI Gateway have it as their cause. */
function refusalOf(error: unknown): Refusal | undefined {
  if (APICallError.isInstance(error) || StreamProviderError.isInstance(error)) return error;
  return error instanceof Error && APICallError.isInstance(error.cause) ? error.cause : undefined;
}

/** Converts any failure of a model call to an error that ends a run. Aborts are rethrown unchanged. */
export async function plannerErrorOf(error: unknown, model: LanguageModel): Promise<PlannerError> {
  if (error instanceof PlannerError) return error;
  if (RetryError.isInstance(error)) return plannerErrorOf(error.lastError, model);
  const refused = refusalOf(error);
  if (refused) return fromRefusal(refused, model);
  if (LoadAPIKeyError.isInstance(error) || NoSuchModelError.isInstance(error))
    return new PlannerError('The model is not configured; check its name and its key.', {
      code: 'PLANNER_CONFIGURATION',
      cause: error,
    });
  const refusal = refusalBefore(error);
  if (refusal !== undefined) return new PlannerError(refusal, { code: 'PLANNER_REJECTED', cause: error });
  if (isTimeout(error))
    return new PlannerError('The model took too long to answer.', {
      code: 'PLANNER_UNAVAILABLE',
      cause: error,
    });
  return incompleteAnswer(error);
}

/** Why a request could not be sent at all. */
function refusalBefore(error: unknown): string | undefined {
  if (UnsupportedFunctionalityError.isInstance(error))
    return `The model does not take this request: ${cutText(error.functionality, maxDetail)} is not supported.`;
  if (InvalidPromptError.isInstance(error))
    return 'There is nothing to send to the model: the request has no message from the user.';
  return undefined;
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

/** Whether a retry may help when a call broke off before any text. */
export function isTransient(error: unknown): boolean {
  if (error instanceof PlannerError || isTimeout(error) || RetryError.isInstance(error)) return false;
  if (refusalBefore(error) !== undefined) return false;
  const refused = refusalOf(error);
  if (!refused) return true;
  const status = statusOf(refused) ?? 500;
  // A service that accepts no more requests would refuse the next one as well.
  if (StreamProviderError.isInstance(refused)) return status >= 500;
  return refused.isRetryable || status < 400;
}
