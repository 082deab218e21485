import * as z from 'zod';
import { kindOf } from '../../../config/options.js';
import type { Logger } from '../../../logging/logger.js';
import { ownerOf } from '../calls/owner.js';
import { refuse } from './refuse.js';

/**
 * What to do with a request: `true` or the id of its client admits it, a response is sent instead, and anything else refuses
 * it with status 401.
 */
export type Admission = boolean | { readonly client: string } | Response;

/** Decides whether a request is admitted. */
export type Authorize = (request: Request) => Admission | Promise<Admission>;

const ClientSchema = z.strictObject({ client: z.string().min(1) });

/** Returns the owner of what an admitted request begins, or the response that refuses it. */
export async function admit(
  request: Request,
  authorize: Authorize | undefined,
  logger: Logger,
): Promise<string | Response> {
  try {
    const admission: unknown = authorize ? await authorize(request) : true;
    if (admission instanceof Response) return admission;
    if (admission === true) return ownerOf('authorization', request.headers.get('authorization') ?? '');
    const { client } = ClientSchema.safeParse(admission).data ?? {};
    if (client !== undefined) return ownerOf('client', client);
    if (admission !== false)
      logger.warn('authorize() of serveMcp returned neither a boolean, a client nor a response.', {
        returned: kindOf(admission),
      });
  } catch (error) {
    logger.error('authorize() of serveMcp threw an error, so the request was not admitted.', { error });
  }
  return refuse(401, 'The request was not admitted.', { 'www-authenticate': 'Bearer' });
}
