import * as z from 'zod';
import { ConfigurationError } from '../config/errors.js';
import { invalidOption, refuseUnknownOptions } from '../config/options.js';
import type { HttpClient, JsonRequest } from '../http/http-client.js';
import { IDEMPOTENT } from '../http/retry.js';

/** What every request of memory administration takes. */
export interface MemoryRequestOptions {
  /** Gives the request up; it rejects with the reason. */
  signal?: AbortSignal | undefined;
}

/** How much of a list is wanted. */
export interface PageOptions extends MemoryRequestOptions {
  /** How many at most. @default the service's */
  limit?: number | undefined;
  /** How many are left out at the beginning. @default 0 */
  offset?: number | undefined;
}

/** The names of {@link PageOptions}. */
export const PAGE_OPTIONS = ['limit', 'offset', 'signal'] satisfies (keyof PageOptions)[];

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

  /** The path of one record. A blank id is refused, and dots: they would make the path of the whole list, or of what is above it. */
  pathOf(make: (projectId: string, id: string) => string, id: string): string {
    return make(this.projectId, requireId(id, "A record's id"));
  }

  /** Reads a list, which comes bare or in `items`. */
  async list<Item extends z.ZodType>(
    path: string,
    item: Item,
    query: Readonly<Record<string, QueryValue>>,
    options: MemoryRequestOptions,
  ): Promise<z.output<Item>[]> {
    const schema = z.union([z.array(item), z.looseObject({ items: z.array(item) })]);
    const target = `${path}${writeQuery(query)}`;
    const answer = await this.#ask({ method: 'GET', target, schema, retry: IDEMPOTENT }, options);
    return Array.isArray(answer) ? answer : answer.items;
  }

  /** Reads one record. */
  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    options: MemoryRequestOptions,
  ): Promise<z.output<Schema>> {
    return this.#ask({ method: 'GET', target: path, schema, retry: IDEMPOTENT }, options);
  }

  /** Changes something, and reads what came of it. It is not repeated unless the service says that it did nothing. */
  async send<Schema extends z.ZodType>(
    request: Pick<JsonRequest<Schema>, 'target' | 'body' | 'schema'> & { method: 'POST' | 'PATCH' },
    options: MemoryRequestOptions,
  ): Promise<z.output<Schema>> {
    return this.#ask(request, options);
  }

  /** Removes a record. */
  async remove(path: string, options: MemoryRequestOptions): Promise<void> {
    await this.#ask({ method: 'DELETE', target: path, schema: z.unknown(), retry: IDEMPOTENT }, options);
  }

  async #ask<Schema extends z.ZodType>(
    request: Omit<JsonRequest<Schema>, 'signal'>,
    given: MemoryRequestOptions,
  ): Promise<z.output<Schema>> {
    const options = given ?? {};
    refuseUnknownOptions(options, ['signal'], 'A request of memory');
    const { signal } = options;
    if (signal != null && !(signal instanceof AbortSignal))
      throw invalidOption('A request of memory', 'takes an AbortSignal as signal', ['signal']);
    return this.#http.request({ ...request, signal });
  }
}

/** An id that can stand in a path, where dots alone mean the folder or the one above. */
export function requireId(id: unknown, what: string): string {
  if (typeof id === 'string' && !/^\.{0,2}$/.test(id.trim())) return id;
  const kind = typeof id === 'string' ? '' : `; it was ${id === null ? 'null' : typeof id}`;
  throw invalidOption(what, `is a text that is not blank, . or ..${kind}`, ['id']);
}

/** Absent, empty and `null` values are left out; 0 is not. Lists repeat their name. */
function writeQuery(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) if (one !== '') search.append(name, String(one));
  }
  return search.size === 0 ? '' : `?${search}`;
}
