import type { SystemToolsOptions } from '@svc/orchestrator';
import { UsageError, type Terminal } from '../terminal.js';
import { parseHeaders } from './parse-target.js';

/** Flags that turn system tools on. Absent ones come from the environment; otherwise the tool is off. */
export interface SystemToolFlags {
  webSearch?: string | undefined;
  webSearchPrivate?: boolean | undefined;
  repl?: boolean | undefined;
}

/** Reads which system tools are on. @throws UsageError naming the invalid setting, never repeating a URL or a header */
export function readSystemTools(
  flags: SystemToolFlags,
  environment: Terminal['environment'],
): SystemToolsOptions {
  const endpoint = (flags.webSearch ?? environment['SVC_WEB_SEARCH'])?.trim();
  const header = environment['SVC_WEB_SEARCH_HEADER']?.trim();
  const isPrivate = flags.webSearchPrivate ?? readSwitch('SVC_WEB_SEARCH_PRIVATE', environment);
  return {
    repl: flags.repl ?? readSwitch('SVC_REPL', environment),
    webSearch: endpoint
      ? {
          endpoint: checkEndpoint(endpoint),
          headers: header ? parseHeaders([header], 'SVC_WEB_SEARCH_HEADER') : {},
          allowPrivateAddresses: isPrivate,
        }
      : undefined,
  };
}

/** The URL may contain a key, so it is not repeated. */
function checkEndpoint(endpoint: string): string {
  const filled = URL.parse(endpoint.replaceAll(/\{\w+\}/g, 'x'));
  if (endpoint.includes('{query}') && filled && /^https?:$/.test(filled.protocol)) return endpoint;
  throw new UsageError(
    '--web-search (SVC_WEB_SEARCH) must be an HTTP URL that contains {query}, such as https://search.example/search?format=json&q={query}.',
  );
}

function readSwitch(name: string, environment: Terminal['environment']): boolean {
  const text = environment[name]?.trim().toLowerCase() ?? '';
  if (['1', 'true'].includes(text)) return true;
  if (['', '0', 'false'].includes(text)) return false;
  throw new UsageError(`${name} must be 1 or 0, got "${text}".`);
}
