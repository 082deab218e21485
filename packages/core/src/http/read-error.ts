import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { cutText } from '../cut-text.js';
import { MaivnHTTPError, PlanLimitExceededError, type HttpRefusal } from './errors.js';

const said = z.string().min(1).optional().catch(undefined);

/** What the service answers: `{code, message, details}`, of which each part is read by itself; the original's says it in `detail`. */
const RefusalBodySchema = z.object({
  code: said,
  message: said,
  details: z.unknown().optional(),
  detail: z.unknown().optional(),
});

/** The original's `detail`, where it is more than a text or a list of what is not valid. */
const OriginalDetailSchema = z.object({ error: said, message: said }).catch({});

/** So much of what the service says stands in the message, in characters: it is for people and logs. `detail` has all of it. */
const MAX_SAID = 2_000;

/** A refused answer as it came. */
export interface RefusedResponse {
  statusCode: number;
  text: string;
  retryAfter?: string | undefined;
  /** The current time, in milliseconds since the epoch. */
  now: number;
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'The API key is missing, invalid or revoked; supply a valid one.',
  403: 'The API key may not do this; use one of the right project that has the operation.',
  404: 'There is nothing at this address; check baseUrl.',
};

/** What the orchestrator itself says is not there or not allowed, whatever the key or the address. */
const SAYS_ALL: ReadonlySet<string | undefined> = new Set([
  'SESSION_NOT_FOUND',
  'CHECKPOINT_NOT_FOUND',
  'MEMORY_NOT_FOUND',
  'MEMORY_DISABLED',
  'HOST_FORBIDDEN',
]);

/** Turns a refused answer into its typed error. */
export function readHttpError(response: RefusedResponse): MaivnHTTPError {
  const { statusCode } = response;
  const reason = STATUS_CODES[statusCode] ?? 'Unknown Status';
  const said = readBody(response.text);
  const advice = SAYS_ALL.has(said.code) ? undefined : ADVICE[statusCode];
  const message = [`The orchestrator refused the request: ${statusCode} ${reason}`, said.message, advice]
    .flatMap(sentence)
    .join(' ');
  const refusal: HttpRefusal = {
    statusCode,
    reason,
    code: said.code,
    detail: said.detail,
    retryAfterMs: parseRetryAfter(response.retryAfter, response.now),
  };
  return said.code === 'plan_limit_exceeded'
    ? new PlanLimitExceededError(message, refusal)
    : new MaivnHTTPError(message, refusal);
}

/** A text that another can follow; nothing for a blank one. */
function sentence(text = ''): string[] {
  const said = cutText(text.trim(), MAX_SAID);
  return said === '' ? [] : [/[.!?]$/.test(said) ? said : `${said}.`];
}

function readBody(text: string): {
  code?: string | undefined;
  message?: string | undefined;
  detail?: unknown;
} {
  const body = RefusalBodySchema.safeParse(parseJson(text));
  if (!body.success) return {};
  const { code, message, details, detail } = body.data;
  const original = OriginalDetailSchema.parse(detail);
  return {
    code: code ?? original.error,
    message: message ?? (typeof detail === 'string' ? detail : original.message),
    detail: details ?? detail ?? message,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An answer that is no JSON says nothing we could use; the status still tells.
    return undefined;
  }
}

/** `Retry-After` in milliseconds, from seconds or a date. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
