import {
  CheckpointResumeRequestSchema,
  CheckpointResumeResponseSchema,
  EventHistorySchema,
  PreviewRedactionRequestSchema,
  PreviewRedactionResponseSchema,
  ResumeRequestSchema,
  ResumeResponseSchema,
  SessionListSchema,
  SessionSnapshotSchema,
  StartSessionRequestSchema,
  StartSessionResponseSchema,
} from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { CancelRequestSchema } from '../ingress/cancel-request.js';
import { MEMORY_OPERATIONS } from './memory-operations.js';
import { bodyErrors, data, pageLimit, type Answer, type Operation } from './operation.js';

const sessionErrors = ['SESSION_NOT_FOUND', 'PROJECT_FORBIDDEN'] as const;
const planErrors = [
  'DUPLICATE_TOOL',
  'TOOL_CYCLE',
  'UNKNOWN_TARGET',
  'TARGETS_CONFLICT',
  'NO_FINAL_TOOL',
  'SEVERAL_FINAL_TOOLS',
] as const;
const text = (mediaType: string, description: string): Answer => ({ description, mediaType });

const Accepted = z.looseObject({ accepted: z.boolean(), reason: z.string().optional() });
const Health = z.looseObject({ status: z.string() });
const OpenApi = z.looseObject({ openapi: z.string() });

/** Every operation, in the order of the documentation. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/start-session',
    id: 'startSession',
    access: ['run'],
    summary: 'Opens a session. Its run is stored before the response is sent.',
    headers: {
      'Idempotency-Key':
        '1 to 255 printable ASCII characters. Repeating the request with the same key opens nothing and returns the same response.',
    },
    body: { name: 'StartSessionRequest', schema: StartSessionRequestSchema },
    answers: {
      200: data('StartSessionResponse', StartSessionResponseSchema, 'The session and its URLs.'),
    },
    errors: [
      ...bodyErrors,
      ...planErrors,
      'INVALID_WHITELIST',
      'IDEMPOTENCY_KEY_REUSED',
      'RESOURCE_TOO_LARGE',
      'QUOTA_EXCEEDED',
      'DRAINING',
    ],
  },
  {
    method: 'get',
    path: '/sessions/{session_id}/events',
    id: 'followSession',
    access: ['run', 'read'],
    summary:
      'Streams the events of a session after the cursor, up to its `final`. As application/json, returns the events so far.',
    headers: { 'Last-Event-ID': 'The cursor: the id of the last event received.' },
    query: { last_event_id: 'The cursor, for clients that cannot send the header.' },
    answers: {
      200: {
        ...data(
          'EventHistory',
          EventHistorySchema,
          'Server-sent events; each has an id, a name and JSON data.',
        ),
        mediaType: 'text/event-stream',
      },
    },
    errors: [...sessionErrors, 'NOT_ACCEPTABLE', 'QUOTA_EXCEEDED', 'TOO_MANY_STREAMS'],
  },
  {
    method: 'post',
    path: '/sessions/{session_id}/resume',
    id: 'postResult',
    access: ['run'],
    summary:
      'Posts the result of a call, accepted once per tool event id. It is stored before the response is sent.',
    body: { name: 'ResumeRequest', schema: ResumeRequestSchema },
    answers: {
      200: data(
        'ResumeResponse',
        ResumeResponseSchema,
        'Whether the result was accepted, and if not, the reason.',
      ),
    },
    errors: [...bodyErrors, ...sessionErrors],
  },
  {
    method: 'post',
    path: '/api/v1/checkpoints/{checkpoint_id}/resume',
    id: 'answerCheckpoint',
    access: ['run'],
    summary:
      'Posts the user’s answer to a checkpoint: accepted once, before the checkpoint expires, and only for its arguments.',
    body: { name: 'CheckpointResumeRequest', schema: CheckpointResumeRequestSchema },
    answers: {
      200: data('CheckpointResumeResponse', CheckpointResumeResponseSchema, 'The session that continues.'),
    },
    errors: [
      ...bodyErrors,
      ...sessionErrors,
      'CHECKPOINT_NOT_FOUND',
      'CHECKPOINT_ANSWERED',
      'CHECKPOINT_MISMATCH',
      'CHECKPOINT_EXPIRED',
      'INVALID_ANSWER',
      'RUN_ENDED',
    ],
  },
  {
    method: 'get',
    path: '/sessions',
    id: 'listSessions',
    access: ['read'],
    summary: 'Lists the sessions of the key’s project, newest first.',
    query: {
      limit: pageLimit,
      cursor: '`next_cursor` of the previous page.',
      thread_id: 'Returns only sessions of this thread.',
      ended: {
        description: 'Returns only sessions that have ended (`true`) or have not (`false`).',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
    },
    answers: { 200: data('SessionList', SessionListSchema, 'One page.') },
    errors: ['INVALID_REQUEST'],
  },
  {
    method: 'get',
    path: '/sessions/{session_id}',
    id: 'readSession',
    access: ['run', 'read'],
    summary: 'Returns the state of a session: what it is waiting for, and its `final` once it has ended.',
    answers: { 200: data('SessionSnapshot', SessionSnapshotSchema, 'The session.') },
    errors: sessionErrors,
  },
  {
    method: 'delete',
    path: '/sessions/{session_id}',
    id: 'cancelSession',
    access: ['run'],
    summary: 'Cancels the run, which then ends with one `final` of status `cancelled` and the given reason.',
    body: { name: 'CancelRequest', schema: CancelRequestSchema, isOptional: true },
    answers: {
      202: data('Accepted', Accepted, 'The run is being cancelled.'),
      200: data('Accepted', Accepted, 'The run had already ended.'),
    },
    errors: [...sessionErrors, ...bodyErrors],
  },
  {
    method: 'post',
    path: '/preview-redaction',
    id: 'previewRedaction',
    access: ['run'],
    summary: 'Returns what redaction would do to a message. Nothing is stored.',
    body: { name: 'PreviewRedactionRequest', schema: PreviewRedactionRequestSchema },
    answers: {
      200: data(
        'PreviewRedactionResponse',
        PreviewRedactionResponseSchema,
        'The redacted message and what was replaced.',
      ),
    },
    errors: [...bodyErrors, 'INVALID_WHITELIST'],
  },
  ...MEMORY_OPERATIONS,
  {
    method: 'get',
    path: '/metrics',
    id: 'readMetrics',
    access: ['metrics'],
    summary: 'Returns the metrics of the key’s project and of the process in the Prometheus text format.',
    answers: { 200: text('text/plain', 'The metrics.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'readOpenApi',
    access: ['read'],
    summary: 'Returns this document.',
    answers: { 200: data('OpenApi', OpenApi, 'The document.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/',
    id: 'showPage',
    access: ['read'],
    summary: 'Shows a page with the sessions of the key’s project. A browser asks for the key as a password.',
    answers: { 200: text('text/html', 'The page.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/health',
    id: 'isAlive',
    summary: 'Liveness check: the process is running.',
    access: 'open',
    answers: { 200: data('Health', Health, 'The process is running.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/health/ready',
    id: 'isReady',
    summary: 'Readiness check: the process has resumed its unfinished runs and accepts new sessions.',
    access: 'open',
    answers: {
      200: data('Health', Health, 'The process is ready.'),
      503: data('Health', Health, 'The process is `starting` or `draining`.'),
    },
    errors: [],
  },
];
