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
    summary:
      'Opens a session. Its run is stored when the answer is sent. A start that comes again with the same header Idempotency-Key opens nothing and has the same answer.',
    body: { name: 'StartSessionRequest', schema: StartSessionRequestSchema },
    answers: {
      200: data('StartSessionResponse', StartSessionResponseSchema, 'The session and where it is reached.'),
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
      'What the session says, from the cursor on, until its `final`. Asked for as application/json: what it has said. The header Last-Event-ID is the cursor.',
    query: { last_event_id: 'The cursor, for readers that cannot send the header.' },
    answers: {
      200: {
        ...data(
          'EventHistory',
          EventHistorySchema,
          'Server-sent events; each has an id, its name and JSON data.',
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
    summary: 'The result of a call, taken once per tool event id. It is stored when the answer is sent.',
    body: { name: 'ResumeRequest', schema: ResumeRequestSchema },
    answers: {
      200: data('ResumeResponse', ResumeResponseSchema, 'Whether it was taken, else why it changed nothing.'),
    },
    errors: [...bodyErrors, ...sessionErrors],
  },
  {
    method: 'post',
    path: '/api/v1/checkpoints/{checkpoint_id}/resume',
    id: 'answerCheckpoint',
    access: ['run'],
    summary: 'The answer of a person, taken once, before it expires, for the arguments it was asked for.',
    body: { name: 'CheckpointResumeRequest', schema: CheckpointResumeRequestSchema },
    answers: {
      200: data('CheckpointResumeResponse', CheckpointResumeResponseSchema, 'The session that goes on.'),
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
    summary: 'The sessions of the key’s project, newest first.',
    query: {
      limit: pageLimit,
      cursor: '`next_cursor` of the page before.',
      thread_id: 'Only those of a thread.',
      ended: {
        description: 'Only those that have ended (`true`), or have not (`false`).',
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
    summary: 'How a session stands: what it waits for, and its `final` once it has ended.',
    answers: { 200: data('SessionSnapshot', SessionSnapshotSchema, 'The session.') },
    errors: sessionErrors,
  },
  {
    method: 'delete',
    path: '/sessions/{session_id}',
    id: 'cancelSession',
    access: ['run'],
    summary:
      'Cancels the run, which then ends with one `final` of status `cancelled`, for the reason that is given.',
    body: { name: 'CancelRequest', schema: CancelRequestSchema, isOptional: true },
    answers: {
      202: data('Accepted', Accepted, 'The run is about to end.'),
      200: data('Accepted', Accepted, 'It had ended before.'),
    },
    errors: [...sessionErrors, ...bodyErrors],
  },
  {
    method: 'post',
    path: '/preview-redaction',
    id: 'previewRedaction',
    access: ['run'],
    summary: 'What redaction would do to a message. Nothing of it is kept.',
    body: { name: 'PreviewRedactionRequest', schema: PreviewRedactionRequestSchema },
    answers: { 200: data('PreviewRedactionResponse', PreviewRedactionResponseSchema, 'The outcome.') },
    errors: [...bodyErrors, 'INVALID_WHITELIST'],
  },
  ...MEMORY_OPERATIONS,
  {
    method: 'get',
    path: '/metrics',
    id: 'readMetrics',
    access: ['metrics'],
    summary: 'What is counted of the key’s project and of the process, in Prometheus’ text format.',
    answers: { 200: text('text/plain', 'The metrics.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'readOpenApi',
    access: ['read'],
    summary: 'This document.',
    answers: { 200: data('OpenApi', OpenApi, 'The document.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/',
    id: 'showPage',
    access: ['read'],
    summary: 'A page with the sessions of the key’s project. A browser asks for the key as a password.',
    answers: { 200: text('text/html', 'The page.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/health',
    id: 'isAlive',
    summary: 'The process lives.',
    access: 'open',
    answers: { 200: data('Health', Health, 'It does.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/health/ready',
    id: 'isReady',
    summary: 'The process has taken up the runs that were left to it, and takes new sessions.',
    access: 'open',
    answers: {
      200: data('Health', Health, 'It does.'),
      503: data('Health', Health, 'Not yet (`starting`), or no longer (`draining`).'),
    },
    errors: [],
  },
];
