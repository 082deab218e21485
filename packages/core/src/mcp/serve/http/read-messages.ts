import { hasTooManyValues, MAX_VALUES } from '../../value-limit.js';
import { refuse } from './refuse.js';

/** The largest body that is read, in bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** What the library takes as it is, and a tool checks. */
const CONTENT_FIELDS: ReadonlySet<string> = new Set(['arguments']);

/**
 * Reads the messages of a request for the library, or refuses it if they have too many values. Whatever else is wrong with a
 * body, the library refuses, which reads it again.
 */
export async function readMessages(request: Request): Promise<Response | { readonly parsedBody?: unknown }> {
  if (request.method !== 'POST' || !request.body) return {};
  const parsedBody = await tryParse(request);
  if (parsedBody === undefined) return {};
  // Nobody reads the other copy of the body any more.
  await request.body.cancel();
  if (!hasTooManyValues(parsedBody, CONTENT_FIELDS)) return { parsedBody };
  return refuse(413, `The request has more than ${MAX_VALUES} values besides the arguments of a call.`);
}

async function tryParse(request: Request): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    const { body } = request.clone();
    // Cancelling one copy waits until the other is cancelled too.
    for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
    return JSON.parse(text + decoder.decode());
  } catch {
    // It is used, locked, broken off, or not JSON.
    return undefined;
  }
}
