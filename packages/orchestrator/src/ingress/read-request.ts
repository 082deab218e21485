import {
  AttachmentSchema,
  ResumeRequestSchema,
  SessionRequestSchema,
  StartSessionRequestSchema,
} from '@svc/contracts/orchestrator';
import type { ResumeRequest, SessionRequest, StartSessionRequest } from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { RequestError } from '../errors.js';
import { isJsonObject } from '../json-object.js';
import { coerceMessages } from './coerce-messages.js';
import { coerceTools } from './coerce-tools.js';
import { requestProblem } from './request-problem.js';
import { StorableText } from '../storable-text.js';
import { eachWithoutNulls, withoutNulls, withoutNullsWithin } from '../without-nulls.js';

/** Parses a body or a query with its schema. The error names the fields and what they must be, never their values. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 20).map((issue) => requestProblem(issue, body));
  const [first] = problems;
  const place = first?.path ? ` at "${first.path}"` : '';
  throw new RequestError(`The request is invalid${place}: ${first?.message}`, {
    code: 'INVALID_REQUEST',
    details: { problems },
  });
}

const id = StorableText.nullish();
/** The ids that memory is kept under. */
const OwnersSchema = z.object({
  state: z.object({
    execution_config: z.object({ agent_id: id }).nullish(),
    swarm_config: z.object({ swarm_id: id, invoked_agent_id: id }).nullish(),
  }),
});

const FileSchema = AttachmentSchema.refine(
  ({ content_base64, text_content, source_url }) => content_base64 || text_content || source_url,
  'An attachment needs content_base64 or text_content; files are not read by their path',
);
const FilesOfMessage = z.object({ attachments: z.array(FileSchema).nullish() });
/** The files in user messages: an unreadable one must not be dropped silently. */
const FilesSchema = z.object({
  state: z.object({
    messages: z.array(
      z.discriminatedUnion('type', [
        z.object({ type: z.enum(['human', 'redacted']), additional_kwargs: FilesOfMessage }),
        z.object({ type: z.enum(['system', 'ai', 'tool']) }),
      ]),
    ),
  }),
});

/** Reads the body of `POST /start-session`. Unknown keys of the state are ignored. */
export function readStartRequest(body: unknown): StartSessionRequest {
  if (!isJsonObject(body) || !isJsonObject(body['state'])) return parseBody(StartSessionRequestSchema, body);
  const state: Record<string, unknown> = {
    ...body['state'],
    messages: coerceMessages(body['state']['messages']),
    tools: coerceTools(body['state']['tools']),
    pii_whitelist: withoutNullsWithin(body['state']['pii_whitelist']),
    swarm_config: coerceSwarm(body['state']['swarm_config']),
  };
  for (const [key, value] of Object.entries(state))
    if (value === null || value === undefined) delete state[key];
  const parsed = parseBody(StartSessionRequestSchema, { ...body, state });
  parseBody(OwnersSchema, parsed);
  parseBody(FilesSchema, parsed);
  return { ...parsed, state: knownKeys(parsed.state) };
}

/** Reads the body of `POST {resume_url}`. A null result counts as absent. */
export function readResumeRequest(body: unknown): ResumeRequest {
  const request = isJsonObject(body) ? { ...body, value: withoutNulls(body['value']) } : body;
  return parseBody(ResumeRequestSchema, request);
}

function coerceSwarm(swarm: unknown): unknown {
  return isJsonObject(swarm) ? { ...swarm, agent_roster: eachWithoutNulls(swarm['agent_roster']) } : swarm;
}

function knownKeys(state: SessionRequest): SessionRequest {
  const known = Object.entries(state).filter(([key]) => Object.hasOwn(SessionRequestSchema.shape, key));
  // Only keys unknown to the schema were removed.
  return Object.fromEntries(known) as SessionRequest;
}
