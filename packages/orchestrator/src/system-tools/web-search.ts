import type { JsonObject, JsonValue } from '@svc/contracts';
import { cutText } from '../cut-text.js';
import { isJsonArray, isJsonObject, textOf } from '../json-object.js';
import { GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';
import type { SystemTool } from './system-tool.js';
import { SystemToolError } from './system-tool-error.js';

/** The search service of `web_search`. */
export interface WebSearchOptions extends GuardedFetchOptions {
  /** URL of a JSON search service; `{query}` and `{count}` in it are replaced. @example https://search.example/search?format=json&q={query} */
  readonly endpoint: string;
  /** Headers sent with every request, such as a key. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One search result. */
interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

const urlKeys = ['url', 'link', 'href'];
const snippetKeys = ['snippet', 'content', 'description', 'text', 'summary'];
const titleKeys = ['title', 'name', 'heading'];
const maxSnippet = 500;

const firstText = (item: JsonObject, keys: readonly string[]) =>
  keys.map((key) => textOf(item[key])).find((text) => text !== undefined && text !== '');

const withoutTags = (text: string) =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

function searchResultOf(item: JsonValue): SearchResult | undefined {
  if (!isJsonObject(item)) return undefined;
  const url = firstText(item, urlKeys);
  if (url === undefined || !/^https?:\/\//.test(url)) return undefined;
  return {
    title: cutText(withoutTags(firstText(item, titleKeys) ?? url), 200),
    url,
    snippet: cutText(withoutTags(firstText(item, snippetKeys) ?? ''), maxSnippet),
  };
}

/** The first list of search results in a response, whatever the service calls it. */
function searchResultsIn(answer: JsonValue, depth = 0): SearchResult[] {
  if (isJsonArray(answer)) return answer.flatMap((item) => searchResultOf(item) ?? []);
  if (!isJsonObject(answer) || depth > 3) return [];
  for (const value of Object.values(answer)) {
    const found = searchResultsIn(value, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

function parseAnswer(text: string, host: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SystemToolError(`${host} did not answer with JSON.`, { code: 'SEARCH_FAILED', cause });
  }
}

/** Removes placeholders of private values from a search. */
const withoutPlaceholders = (query: string) =>
  query
    .replaceAll(/\{_\{?[\w.-]+\}?_\}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

function isEndpoint(endpoint: string): boolean {
  const filled = endpoint.replaceAll(/\{\w+\}/g, 'x');
  if (!endpoint.includes('{query}') || !URL.canParse(filled)) return false;
  const { protocol, username, password } = new URL(filled);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/**
 * Searches the web through a configured JSON service.
 * @throws RangeError when the endpoint is not an HTTP URL with `{query}`, or contains a user name or a password
 */
export function webSearchTool(options: WebSearchOptions): SystemTool {
  const { endpoint, headers = {}, ...rest } = options;
  if (!isEndpoint(endpoint))
    throw new RangeError(
      'webSearch.endpoint must be an HTTP URL that contains {query}, without a user name or password; send those in headers.',
    );
  const guarded = new GuardedFetch(rest);
  return {
    name: 'web_search',
    description:
      'Search the web (internet) for pages about something. Returns titles, addresses and snippets.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 400, description: 'What to search for' },
        count: { type: 'integer', minimum: 1, maximum: 20, default: 8, description: 'How many findings' },
      },
      required: ['query'],
    },
    run: async (args, { signal }) => {
      const query = withoutPlaceholders(String(args['query']));
      const count = typeof args['count'] === 'number' ? args['count'] : 8;
      if (query === '')
        throw new SystemToolError('The query consists only of private values.', { code: 'SEARCH_FAILED' });
      const url = new URL(
        endpoint.replaceAll('{query}', encodeURIComponent(query)).replaceAll('{count}', String(count)),
      );
      const { status, text } = await guarded.send(
        { url, headers: { accept: 'application/json', ...headers } },
        signal,
      );
      if (status >= 400)
        throw new SystemToolError(`${url.host} answered ${status}.`, {
          code: 'SEARCH_FAILED',
          retryable: status === 429 || status >= 500,
        });
      const results = searchResultsIn(parseAnswer(text, url.host)).slice(0, count);
      return { query, results: results.map((result) => ({ ...result })) };
    },
  };
}
