import { z } from 'zod';

/** Body of `POST /api/runs`. */
export const StartRunSchema = z.strictObject({
  message: z.string().trim().min(1).max(8000),
  session_id: z.string().min(1).max(128).optional(),
  mode: z.enum(['agent', 'swarm']).optional(),
});

/** Body of `POST /api/runs/{session_id}/answers`. */
export const AnswerSchema = z.strictObject({ interrupt_id: z.string().min(1).max(256), value: z.json() });

/** An error that the demo's API returns as `{code, message}` with a status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}

/** Parses a body, or throws the 400 that names the invalid field. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join('.') || 'body';
  throw new ApiError(400, 'BODY_INVALID', `${where}: ${issue?.message ?? 'not as expected'}`);
}
