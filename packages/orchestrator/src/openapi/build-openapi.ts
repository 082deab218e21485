import { ErrorBodySchema, PROTOCOL_VERSION, RAW_EVENT_PAYLOADS } from '@svc/contracts/orchestrator';
import type { JsonObject, JsonValue } from '@svc/contracts';
import * as z from 'zod';
import { HTTP_STATUS_BY_CODE, type RequestErrorCode } from '../errors.js';
import type { Access } from '../keys/key-operation.js';
import { bodyErrors, type Answer, type Operation } from './operation.js';
import { OPERATIONS } from './operations.js';

const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const keyErrors = [
  'KEY_MISSING',
  'KEY_INVALID',
  'OPERATION_FORBIDDEN',
  'HOST_FORBIDDEN',
  'STORE_UNAVAILABLE',
] as const;

/** Builds the OpenAPI 3.1 description of the HTTP API from the schemas that requests are parsed with. */
export function buildOpenApi(): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {};
  for (const operation of OPERATIONS)
    (paths[operation.path] ??= {})[operation.method] = describeOperation(operation);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Orchestrator',
      version: PROTOCOL_VERSION,
      description: 'Plans runs whose tools are executed by the caller. Clients must ignore unknown fields.',
    },
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
    'x-events': Object.fromEntries(
      Object.keys(RAW_EVENT_PAYLOADS).map((name) => [name, refTo(eventName(name))]),
    ),
  };
}

/** The errors that belong to no single operation. */
const defaultResponse: JsonObject = {
  description: 'INTERNAL (500) if the orchestrator failed, ROUTE_NOT_FOUND (404) if there is no such route.',
  content: { 'application/json': { schema: refTo('ErrorBody') } },
};

function describeOperation(operation: Operation): JsonObject {
  const { id, method, summary, query = {}, headers = {}, path, body, answers, errors, access } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, parameter]) => ({
    name,
    in: 'query',
    ...(typeof parameter === 'string' ? { description: parameter, schema: { type: 'string' } } : parameter),
  }));
  const inHeader = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));
  const parameters = [...inPath, ...inQuery, ...inHeader];
  return {
    operationId: id,
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: !body.isOptional,
            content: { 'application/json': { schema: refTo(body.name) } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer)]),
      ),
      ...describeErrors(
        [
          ...(access === 'open' ? [] : keyErrors),
          ...errors,
          // A body is parsed wherever one may be sent, even where it has no meaning.
          ...(method === 'get' ? [] : bodyErrors),
        ],
        answers,
      ),
      default: defaultResponse,
    },
    security: describeAccess(access),
  };
}

/** The key in either header, with the operations that it needs. */
function describeAccess(access: Access): JsonObject[] {
  if (access === 'open') return [];
  return access.flatMap((operation) => ['key', 'apiKey'].map((scheme) => ({ [scheme]: [operation] })));
}

function describeAnswer({ description, data, mediaType }: Answer): JsonObject {
  const content = {
    ...(mediaType === undefined ? {} : { [mediaType]: { schema: { type: 'string' } } }),
    ...(data ? { 'application/json': { schema: refTo(data.name) } } : {}),
  };
  return { description, content };
}

/** Errors by status; the description of a status lists its codes. */
function describeErrors(codes: readonly RequestErrorCode[], answers: Operation['answers']): JsonObject {
  const byStatus = new Map<number, RequestErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = HTTP_STATUS_BY_CODE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { 'application/json': { schema: refTo('ErrorBody') } };
  const described = [...byStatus].filter(([status]) => !(status in answers));
  return Object.fromEntries(
    described.map(([status, each]) => [status, { description: each.join(', '), content }]),
  );
}

function schemas(): JsonObject {
  const bodies = OPERATIONS.flatMap(({ body }) => (body ? [body] : []));
  const answers = OPERATIONS.flatMap((operation) =>
    Object.values(operation.answers).flatMap(({ data }) => data ?? []),
  );
  const events = Object.entries(RAW_EVENT_PAYLOADS).map(([name, schema]) => ({
    name: eventName(name),
    schema,
  }));
  const named = [
    ...bodies.map((each) => ({ ...each, io: 'input' as const })),
    ...[...answers, ...events, { name: 'ErrorBody', schema: ErrorBodySchema }].map((each) => ({
      ...each,
      io: 'output' as const,
    })),
  ];
  const entries = named.map(({ name, schema, io }): [string, JsonValue] => {
    const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    // A JSON Schema is JSON, but the library's type has optional members.
    return [name, JSON.parse(JSON.stringify(described))];
  });
  return Object.fromEntries(entries);
}

function eventName(name: string): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `Event${words.join('')}`;
}
