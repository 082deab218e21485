import type { OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { completeAnswer } from './answer-stream.js';
import { findInRequest, findInResponse } from '../credentials/find-credentials.js';
import { limitAnswers } from './limit-answers.js';
import { limitMessages } from './limit-messages.js';
import { OpenRequests } from './open-requests.js';
import { SignIn } from './sign-in.js';
import type { Secrets } from '../credentials/secrets.js';

/** Headers for every request to a server, or a function that returns them. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** The URL of a server, and the options for its requests. */
export interface HttpTransportOptions {
  readonly url: URL;
  readonly headers: HeaderSource | undefined;
  readonly authProvider: OAuthClientProvider | undefined;
  /** The time limit of a sign-in, in milliseconds. */
  readonly signInTimeoutMs: number;
  readonly maxMessageBytes: number;
  /** Collects the values of the headers and the credentials of the provider. */
  readonly secrets: Secrets;
  /** Called with the reason when the server is abandoned. */
  readonly onGiveUp: (reason: string) => void;
}

/** The first version of the protocol without sessions, in which a stream that breaks off cannot be resumed. */
export const STATELESS_VERSION = '2026-07-28';

/** Creates a transport to a streamable HTTP server. Redirects to other origins are not followed. */
export async function createHttpTransport(
  options: HttpTransportOptions,
): Promise<StreamableHTTPClientTransport> {
  const { StreamableHTTPClientTransport, parseJSONRPCMessage } = await import('@modelcontextprotocol/client');
  const { url, headers, authProvider, maxMessageBytes, secrets, onGiveUp } = options;
  const giveUp = (reason: string) => {
    onGiveUp(reason);
    void transport.close();
  };
  const send = async (target: string | URL, init: RequestInit, token?: string): Promise<Response> => {
    const merged = new Headers(init.headers);
    // OAuth sends requests to other origins too, which must not get the server's headers.
    if (new URL(target).origin === url.origin) {
      if (token !== undefined) merged.set('authorization', `Bearer ${token}`);
      const own = (typeof headers === 'function' ? await headers() : headers) ?? {};
      secrets.add(own);
      for (const [name, value] of Object.entries(own)) merged.set(name, value);
    }
    secrets.add(Object.fromEntries(findInRequest(merged, init.body)));
    return fetch(target, { ...init, headers: merged });
  };
  const signIn = authProvider
    ? new SignIn({
        url,
        provider: authProvider,
        timeoutMs: options.signInTimeoutMs,
        fetch: async (target, init = {}) => {
          const response = limitMessages(await send(target, init), maxMessageBytes, { onExcess: giveUp });
          // A provider that cannot save new tokens may repeat them in its error.
          if (init.method === 'POST') secrets.add(Object.fromEntries(await findInResponse(response)));
          return response;
        },
      })
    : undefined;
  const requests = new OpenRequests();
  const boundedFetch = async (target: string | URL, init: RequestInit = {}): Promise<Response> =>
    requests.send(init, async (request) => {
      const signal = request?.signal ?? init.signal ?? null;
      const sendWith = async (token?: string) => {
        request?.throwIfCancelled();
        return send(target, { ...init, signal }, token);
      };
      const response = await (signIn ? signIn.send(init, sendWith) : sendWith());
      const limited = limitMessages(response, maxMessageBytes, { onExcess: giveUp, onEnd: request?.end });
      // A version is its date.
      const version = new Headers(init.headers).get('mcp-protocol-version') ?? '';
      const isResumable = version < STATELESS_VERSION;
      return completeAnswer(limited, request && { ...request, isResumable }, parseJSONRPCMessage);
    });
  const transport = new StreamableHTTPClientTransport(url, { fetch: boundedFetch });
  limitAnswers(transport, giveUp);
  return transport;
}
