import * as z from 'zod';
import { ConfigurationError } from '../config/errors.js';
import { invalidOption, invalidValue, kindOf, refuseUnknownOptions } from '../config/options.js';
import type { HttpClient, JsonRequest } from '../http/http-client.js';
import { IDEMPOTENT } from '../http/retry.js';

/** Options of every request of memory administration. */
export interface MemoryRequestOptions {
  /** Aborts the request, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The page of a list. */
export interface PageOptions extends MemoryRequestOptions {
  /** The maximum number of records. @default the orchestrator's default */
  limit?: number | undefined;
  /** The number of records to skip. @default 0 */
  offset?: number | undefined;
}

/** The names of {@link PageOptions}. */
export const PAGE_OPTIONS = ['limit', 'offset', 'signal'] satisfies (keyof PageOptions)[];

type QueryValue = string | number | readonly string[] | null | undefined;

/** The requests of memory administration. */
export class MemoryRequests {
  readonly #http: HttpClient;
  readonly #projectId: string | undefined;

  constructor(http: HttpClient, projectId: string | undefined) {
    this.#http = http;
    this.#projectId = projectId;
  }

  /** The administered project. Throws without one. */
  get projectId(): string {
    if (this.#projectId !== undefined) return this.#projectId;
    throw new ConfigurationError(
      'Memory belongs to a project. Set projectId on the client, or set SVC_PROJECT_ID.',
      {
        code: 'CONFIG_MISSING_PROJECT',
      },
    );
  }

  /**
   * Returns the path of a record. A blank id and dots are refused: they would form the path of the whole list, or of
   * its parent.
   */
  pathOf(make: (projectId: string, id: string) => string, id: string): string {
    return make(this.projectId, requireId(id, 'id'));
  }

  /** Reads a list, which is either bare or in `items`. */
  async list<Item extends z.ZodType>(
    path: string,
    item: Item,
    query: Readonly<Record<string, QueryValue>>,
    options: MemoryRequestOptions,
  ): Promise<z.output<Item>[]> {
    const schema = z.union([listOf(item), z.looseObject({ items: listOf(item) })]);
    const target = `${path}${writeQuery(query)}`;
    const answer = await this.#request({ method: 'GET', target, schema, retry: IDEMPOTENT }, options);
    return Array.isArray(answer) ? answer : answer.items;
  }

  /** Reads one record. */
  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    options: MemoryRequestOptions,
  ): Promise<z.output<Schema>> {
    return this.#request({ method: 'GET', target: path, schema, retry: IDEMPOTENT }, options);
  }

  /** Sends a change and reads its result. It is retried only if the service says that it did not process it. */
  async send<Schema extends z.ZodType>(
    request: Pick<JsonRequest<Schema>, 'target' | 'body' | 'schema'> & { method: 'POST' | 'PATCH' },
    options: MemoryRequestOptions,
  ): Promise<z.output<Schema>> {
    return this.#request(request, options);
  }

  /** Deletes a record. */
  async remove(path: string, options: MemoryRequestOptions): Promise<void> {
    await this.#request({ method: 'DELETE', target: path, schema: z.unknown(), retry: IDEMPOTENT }, options);
  }

  async #request<Schema extends z.ZodType>(
    request: Omit<JsonRequest<Schema>, 'signal'>,
    options: MemoryRequestOptions | undefined,
  ): Promise<z.output<Schema>> {
    const owner = 'A memory request';
    refuseUnknownOptions(options ?? {}, ['signal'], owner);
    const signal = options?.signal;
    if (signal != null && !(signal instanceof AbortSignal))
      throw invalidValue(owner, 'signal', 'an AbortSignal', signal);
    return this.#http.request({ ...request, signal });
  }
}

/** A list that is refused at its first invalid item: an array's schema reports all of them, perhaps millions. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(z.unknown()).transform((values, context) => {
    const items: z.output<Item>[] = [];
    for (const [index, value] of values.entries()) {
      const parsed = item.safeParse(value);
      if (!parsed.success) {
        context.addIssue({ code: 'custom', message: 'Invalid item', path: [index] });
        return z.NEVER;
      }
      items.push(parsed.data);
    }
    return items;
  });
}

/** Refuses an id that has another meaning in a path: a blank one, `.` and `..`. */
export function requireId(id: unknown, name: string): string {
  if (typeof id === 'string' && !/^\.{0,2}$/.test(id.trim())) return id;
  const got = typeof id === 'string' ? `'${id}'` : kindOf(id);
  throw invalidOption(name, `must be a non-blank string other than '.' and '..', got ${got}`, ['id']);
}

/** Writes a query string without absent, empty and `null` values. Lists repeat their name. */
function writeQuery(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) if (one !== '') search.append(name, String(one));
  }
  return search.size === 0 ? '' : `?${search}`;
}
