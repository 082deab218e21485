import * as z from 'zod';
import { ConfigurationError } from '../config/errors.js';
import type { HttpClient, JsonRequest } from '../http/http-client.js';
import { IDEMPOTENT } from '../http/retry.js';

/** What every request of memory administration takes. */
export interface MemoryRequestOptions {
  signal?: AbortSignal | undefined;
}

/** How much of a list is wanted. */
export interface PageOptions extends MemoryRequestOptions {
  limit?: number | undefined;
  offset?: number | undefined;
}

type QueryValue = string | number | readonly string[] | null | undefined;

/** The requests of memory administration: what the calls have in common. */
export class MemoryRequests {
  readonly #http: HttpClient;
  readonly #projectId: string | undefined;

  constructor(http: HttpClient, projectId: string | undefined) {
    this.#http = http;
    this.#projectId = projectId;
  }

  /** The project that is administered; without one nothing can be. */
  get projectId(): string {
    if (this.#projectId !== undefined) return this.#projectId;
    throw new ConfigurationError(
      'Memory belongs to a project. Set projectId on the client, or SVC_PROJECT_ID.',
      {
        code: 'CONFIG_MISSING_PROJECT',
      },
    );
  }

  /** Reads a list, which comes bare or in `items`. */
  async list<Item extends z.ZodType>(
    path: string,
    item: Item,
    query: Readonly<Record<string, QueryValue>>,
    { signal }: MemoryRequestOptions,
  ): Promise<z.output<Item>[]> {
    const listed = z.union([z.array(item), z.looseObject({ items: z.array(item) })]);
    const answer = await this.#http.request({
      method: 'GET',
      target: `${path}${writeQuery(query)}`,
      schema: listed,
      retry: IDEMPOTENT,
      signal,
    });
    return Array.isArray(answer) ? answer : answer.items;
  }

  /** Reads one record. */
  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    { signal }: MemoryRequestOptions,
  ): Promise<z.output<Schema>> {
    return this.#http.request({ method: 'GET', target: path, schema, retry: IDEMPOTENT, signal });
  }

  /** Changes something, and reads what came of it. It is not repeated unless the service says that it did nothing. */
  async send<Schema extends z.ZodType>(
    request: Pick<JsonRequest<Schema>, 'target' | 'body' | 'schema'> & { method: 'POST' | 'PATCH' },
    { signal }: MemoryRequestOptions,
  ): Promise<z.output<Schema>> {
    return this.#http.request({ ...request, signal });
  }

  /** Removes a record. */
  async remove(path: string, { signal }: MemoryRequestOptions): Promise<void> {
    await this.#http.request({
      method: 'DELETE',
      target: path,
      schema: z.unknown(),
      retry: IDEMPOTENT,
      signal,
    });
  }
}

/** Checks what is to be sent, and names what does not fit. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(`${what} is not valid:\n${z.prettifyError(parsed.error)}`, {
    code: 'CONFIG_INVALID_OPTION',
    details: { fields: parsed.error.issues.map((issue) => issue.path.join('.') || 'unknown') },
  });
}

/** Absent, empty and `null` values are left out; 0 is not. Lists repeat their name. */
function writeQuery(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) if (one !== '') search.append(name, String(one));
  }
  return search.size === 0 ? '' : `?${search}`;
}
