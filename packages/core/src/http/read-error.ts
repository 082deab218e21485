import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { cutText } from '../cut-text.js';
import { MaivnHTTPError, PlanLimitExceededError, type HttpRefusal } from './errors.js';

const text = z.string().min(1).optional().catch(undefined);

/**
 * The body of a refusal: `{code, message, details}`, each part parsed on its own; the original's has everything in
 * `detail`.
 */
const RefusalBodySchema = z.object({
  code: text,
  message: text,
  details: z.unknown().optional(),
  detail: z.unknown().optional(),
});

/** The original's `detail`, if it is more than a string or a list of issues. */
const OriginalDetailSchema = z.object({ error: text, message: text }).catch({});

/** How much of the service's message is in the error's message, in characters. `detail` has all of it. */
const MAX_MESSAGE = 2_000;

/** A refusal as received. */
export interface RefusedResponse {
  statusCode: number;
  text: string;
  retryAfter?: string | undefined;
  /** The current time, in milliseconds since the epoch. */
  now: number;
  /** Removes secrets from a text: some services and proxies echo the request. @default nothing is removed */
  hide?: (text: string) => string;
}

const REDIRECTED = 'Redirects are not followed. Set baseUrl to the final URL.';

const UNREACHED =
  "If a proxy did, it could not reach the orchestrator: check that it runs, and the proxy's settings.";

const ADVICE: Readonly<Record<number, string>> = {
  301: REDIRECTED,
  302: REDIRECTED,
  303: REDIRECTED,
  307: REDIRECTED,
  308: REDIRECTED,
  401: 'The API key is missing, invalid or revoked. Use a valid one.',
  403: 'The API key does not allow this. Use a key of the right project that allows the operation.',
  404: 'There is nothing at this URL. Check baseUrl.',
  413: 'If a proxy did, raise its limit for request bodies (nginx: client_max_body_size).',
  502: UNREACHED,
  503: UNREACHED,
  504: UNREACHED,
};

/** Refusals that need no advice: they do not depend on the key or the URL, or say themselves what to do. */
const NEEDS_NO_ADVICE: ReadonlySet<string | undefined> = new Set([
  'SESSION_NOT_FOUND',
  'CHECKPOINT_NOT_FOUND',
  'MEMORY_NOT_FOUND',
  'MEMORY_DISABLED',
  'HOST_FORBIDDEN',
  'OPERATION_FORBIDDEN',
  'BODY_TOO_LARGE',
  'RESOURCE_TOO_LARGE',
  'RECORD_TOO_LARGE',
  'TOO_MANY_STREAMS',
  'DRAINING',
  'STORE_UNAVAILABLE',
]);

/** Turns a refusal into a typed error. */
export function readHttpError(response: RefusedResponse): MaivnHTTPError {
  const { statusCode } = response;
  const reason = STATUS_CODES[statusCode] ?? 'Unknown Status';
  const body = readBody(response);
  const advice = NEEDS_NO_ADVICE.has(body.code) ? undefined : ADVICE[statusCode];
  const message = [`The orchestrator refused the request: ${statusCode} ${reason}`, body.message, advice]
    .flatMap(sentence)
    .join(' ');
  const refusal: HttpRefusal = {
    statusCode,
    reason,
    code: body.code,
    detail: body.detail,
    retryAfterMs: parseRetryAfter(response.retryAfter, response.now),
  };
  return body.code === 'plan_limit_exceeded'
    ? new PlanLimitExceededError(message, refusal)
    : new MaivnHTTPError(message, refusal);
}

/** Returns the text as a sentence; nothing for a blank one. */
function sentence(text = ''): string[] {
  const cut = cutText(text.trim(), MAX_MESSAGE);
  return cut === '' ? [] : [/[.!?]$/.test(cut) ? cut : `${cut}.`];
}

function readBody({ text, hide = (unchanged) => unchanged }: RefusedResponse): {
  code?: string | undefined;
  message?: string | undefined;
  detail?: unknown;
} {
  const body = RefusalBodySchema.safeParse(parseJson(text, hide));
  if (!body.success) return {};
  const { code, message, details, detail } = body.data;
  const original = OriginalDetailSchema.parse(detail);
  return {
    code: code ?? original.error,
    message: message ?? (typeof detail === 'string' ? detail : original.message),
    detail: details ?? detail ?? message,
  };
}

function parseJson(text: string, hide: (text: string) => string): unknown {
  try {
    // In the whole text for the sake of keys, and in every string, where a secret may have been escaped.
    return JSON.parse(hide(text), (_key, value: unknown) =>
      typeof value === 'string' ? hide(value) : value,
    );
  } catch {
    // A body that is not JSON is ignored; the status is enough.
    return undefined;
  }
}

/** Parses `Retry-After`, in seconds or as a date, to milliseconds. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
