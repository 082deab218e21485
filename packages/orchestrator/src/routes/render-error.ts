import type { ErrorBody } from '@svc/contracts/orchestrator';
import { isSdkError } from '@svc/contracts/sdk-error';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_STATUS_BY_CODE, RequestError, type RequestErrorCode } from '../errors.js';
import { errorFacts, type OrchestratorLogger } from '../logger.js';
import { StoreFailure } from '../sessions/journal/store-failure.js';
import { isDatabaseError } from '../store/sqlite/database-error.js';

/** Our codes for Fastify's own errors. */
const fastifyCodes: Readonly<Record<string, RequestErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
};

/**
 * Answers every error with an `ErrorBody`. A store failure is 503, any other error that is not ours 500; neither
 * reveals details.
 */
export function renderErrors(app: FastifyInstance, logger: OrchestratorLogger): void {
  app.setNotFoundHandler((request) => {
    throw new RequestError(`There is no route ${request.method} ${request.url.split('?')[0]}.`, {
      code: 'ROUTE_NOT_FOUND',
    });
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.routeOptions.bodyLimit);
    const fault = error instanceof StoreFailure ? error.cause : error;
    // Closing cuts off the requests under way; what is left of them then meets a closed store.
    const isCutOff = request.socket.destroyed && isSdkError(fault, 'STORE_CLOSED');
    if ((!refusal || refusal === storeRefusal) && !isCutOff) {
      const route = request.routeOptions.url ?? '';
      logger.error({ method: request.method, route, error: errorFacts(fault) }, 'request failed');
    }
    if (!refusal) {
      const body: ErrorBody = { code: 'INTERNAL', message: 'The orchestrator failed; see its logs.' };
      return reply.code(500).send(body);
    }
    const { statusCode, body, retryAfterS } = refusal;
    if (retryAfterS !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfterS)));
    return reply.code(statusCode).send(body);
  });
}

/** Answers URLs that the router cannot parse, before any hook. They match no route, so no key is required. */
export function refuseUnreadableUrl(_error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  const body: ErrorBody = { code: 'ROUTE_NOT_FOUND', message: 'There is no such route.' };
  void reply.code(HTTP_STATUS_BY_CODE.ROUTE_NOT_FOUND).send(body);
}

interface Refusal {
  readonly statusCode: number;
  readonly body: ErrorBody;
  readonly retryAfterS?: number;
}

/** Whether an outage is short or long, clients that retry at this rate cause no load. */
const storeRefusal: Refusal = {
  statusCode: HTTP_STATUS_BY_CODE.STORE_UNAVAILABLE,
  body: { code: 'STORE_UNAVAILABLE', message: 'The store of this orchestrator is unavailable; try again.' },
  retryAfterS: 2,
};

/** The run store fails with a `StoreFailure`. Memory may be in a file of its own, whose errors arrive as they are. */
const isOutage = (error: unknown): boolean =>
  error instanceof StoreFailure ||
  isDatabaseError(error) ||
  storeCodes.some((code) => isSdkError(error, code));

const storeCodes = ['STORE_CLOSED', 'STORE_IN_USE', 'STORE_UNAVAILABLE'] as const;

function refusalOf(error: unknown, bodyLimit: number | undefined): Refusal | undefined {
  if (error instanceof RequestError) {
    const { code, message, details, statusCode, retryAfterS } = error;
    const body = { code, message, ...(details ? { details: { ...details } } : {}) };
    return { statusCode, body, ...(retryAfterS === undefined ? {} : { retryAfterS }) };
  }
  if (isOutage(error)) return storeRefusal;
  return fastifyRefusal(error, bodyLimit);
}

function fastifyRefusal(error: unknown, limit: number | undefined): Refusal | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return undefined;
  if (error.statusCode < 400 || error.statusCode >= 500) return undefined;
  const known = 'code' in error && typeof error.code === 'string' ? fastifyCodes[error.code] : undefined;
  const code = known ?? (error.statusCode === 400 ? 'INVALID_JSON' : 'INVALID_REQUEST');
  if (code === 'BODY_TOO_LARGE' && limit !== undefined) {
    const message = `The body is larger than the limit of ${limit} bytes. Send less, or raise the orchestrator's limit.`;
    return { statusCode: error.statusCode, body: { code, message, details: { limit } } };
  }
  return {
    statusCode: error.statusCode,
    body: { code, message: messages[code] ?? 'The request is malformed.' },
  };
}

const messages: Partial<Record<RequestErrorCode, string>> = {
  BODY_TOO_LARGE: 'The body is larger than this orchestrator accepts.',
  UNSUPPORTED_MEDIA_TYPE: 'The body must be application/json.',
  INVALID_JSON: 'The body is not valid JSON.',
};
