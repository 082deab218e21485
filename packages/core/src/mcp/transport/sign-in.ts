import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { raceAbort, withDeadline } from '../../deadline.js';

/** Sends a request. */
export type Fetch = (target: string | URL, init?: RequestInit) => Promise<Response>;

/** The parts of a sign-in. */
export interface SignInParts {
  readonly url: URL;
  readonly provider: OAuthClientProvider;
  /** The time limit of a sign-in, in milliseconds. */
  readonly timeoutMs: number;
  /** Sends the requests of a sign-in. */
  readonly fetch: Fetch;
}

/** A sign-in failed; the cause tells why, and is undefined if a person must sign in first. */
export class SignInError extends Error {}

/**
 * Signs in to a server with OAuth. The MCP library would sign in for each refused request, so that requests which are
 * refused at the same time use up a refresh token that is valid once, and would still send cancelled ones afterwards.
 */
export class SignIn {
  readonly #parts: SignInParts;
  #running: Promise<void> | undefined;
  /** The challenge of a refused scope, which is signed in for only once. */
  #refusedScope: string | undefined;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** Sends a request with the token. If it is refused, signs in, and sends it once more. */
  async send(
    { method, signal }: RequestInit,
    request: (token: string | undefined) => Promise<Response>,
  ): Promise<Response> {
    const token = await this.#token();
    const response = await request(token);
    if (response.ok) this.#refusedScope = undefined;
    // The end of a session is not worth a sign-in, for which a page may be opened.
    if (method === 'DELETE' || !(await this.#isSignInRequired(response))) return response;
    await response.body?.cancel();
    const isTokenUsed = (await this.#token()) === token;
    // The token of a request that was refused late may have been replaced meanwhile.
    if (isTokenUsed || this.#running) {
      this.#running ??= this.#signIn(response, signal ?? undefined).finally(
        () => (this.#running = undefined),
      );
      await raceAbort(this.#running, signal ?? undefined);
    }
    return request(await this.#token());
  }

  /** Returns the current access token. */
  async #token(): Promise<string | undefined> {
    try {
      return (await this.#parts.provider.tokens())?.access_token;
    } catch (error) {
      throw new SignInError('The tokens could not be read.', { cause: error });
    }
  }

  async #isSignInRequired(response: Response): Promise<boolean> {
    if (response.status !== 403) return response.status === 401;
    const { error } = (await loadAuth()).extractWWWAuthenticateParams(response);
    const challenge = response.headers.get('www-authenticate') ?? undefined;
    if (error !== 'insufficient_scope' || this.#refusedScope === challenge) return false;
    this.#refusedScope = challenge;
    return true;
  }

  async #signIn(response: Response, signal: AbortSignal | undefined): Promise<void> {
    const { url, provider, timeoutMs, fetch } = this.#parts;
    const { auth, extractWWWAuthenticateParams } = await loadAuth();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    const createError = () => new Error(`it took more than ${timeoutMs} ms`);
    let networkError: unknown;
    const work = async (ending: AbortSignal) =>
      auth(provider, {
        serverUrl: url,
        ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
        ...(scope === undefined ? {} : { scope }),
        fetchFn: async (target, init) => {
          try {
            const answer = await fetch(target, { ...init, signal: ending });
            return isRefresh(init) && !answer.ok ? await explainRefusal(answer) : answer;
          } catch (error) {
            if (isRefresh(init)) return refusal('temporarily_unavailable', 'could not be reached');
            networkError = error;
            throw error;
          }
        },
      });
    const result = await withDeadline({ timeoutMs, signal, createError }, work).catch((error: unknown) => {
      // A server that cannot be reached is reported as such.
      if (error === networkError || signal?.aborted === true) throw error;
      throw new SignInError('The sign-in failed.', { cause: error });
    });
    if (result !== 'AUTHORIZED') throw new SignInError('A person must sign in.');
  }
}

function isRefresh(init: RequestInit | undefined): boolean {
  return init?.body instanceof URLSearchParams && init.body.get('grant_type') === 'refresh_token';
}

/**
 * Returns what the MCP library may know of a refused refresh. It would have a person sign in again if the authorization
 * server is out of order for a moment, and prints what that answers, in which there may be tokens.
 */
async function explainRefusal(response: Response): Promise<Response> {
  const { status } = response;
  const isTemporary = status === 429 || status >= 500;
  const { error } = RefusalSchema.parse(await response.json().catch(() => undefined));
  return refusal(isTemporary ? 'temporarily_unavailable' : error, `responded with status ${status}`);
}

const RefusalSchema = z.object({ error: z.string().regex(/^\w{1,64}$/) }).catch({ error: 'server_error' });

function refusal(error: string, what: string): Response {
  return Response.json({ error, error_description: `its authorization server ${what}` }, { status: 400 });
}

async function loadAuth() {
  return import('@modelcontextprotocol/client');
}
