import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { isRecord } from '../../../is-record.js';
import type { CallRequest } from './held-call.js';
import type { HeldCalls } from './held-calls.js';
import type { Offer } from '../offers/offer.js';
import { toCallResult, type ToolCall } from './tool-call.js';

/** Where the calls of a client without a session are held between its requests. */
export interface CallHolder {
  readonly calls: HeldCalls;
  /** The client. */
  readonly owner: string;
}

/**
 * Begins a call of a client without a session, or goes on with one that it brings answers to. Returns the result or the
 * questions, and undefined for an unknown tool.
 */
export async function callHeld(
  offer: Offer,
  { calls, owner }: CallHolder,
  { name, args, reports }: ToolCall,
  mcpReq: ServerContext['mcpReq'],
): Promise<CallToolResult | InputRequiredResult | undefined> {
  const { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse, ProtocolError, ProtocolErrorCode } =
    await import('@modelcontextprotocol/server');
  const capabilities: unknown = Object(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY];
  const request: CallRequest = {
    ...reports,
    signal: mcpReq.signal,
    canAsk: supportsForms(capabilities),
    readAnswer(key) {
      const answer = inputResponse(mcpReq.inputResponses, key);
      return answer.kind === 'elicit' ? answer : undefined;
    },
  };
  const state = mcpReq.requestState<string>();
  const call =
    state === undefined
      ? calls.begin(name, request, (caller) => offer.call(name, args, caller))
      : calls.take(state, name, owner);
  if (!call && state !== undefined) {
    const reason = { reason: 'invalid_request_state' };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', reason);
  }
  if (!call) return undefined;
  const outcome = await calls.proceed(call, request, owner).catch((error: unknown) => {
    throw calls.isClosed ? new ProtocolError(-32000, 'Connection closed') : error;
  });
  if (outcome.result) return toCallResult(outcome.result);
  const inputRequests = outcome.forms.map(([key, form]) => [key, inputRequired.elicit(form)] as const);
  return inputRequired({ inputRequests: Object.fromEntries(inputRequests), requestState: outcome.state });
}

/** Whether a client shows forms: it says so, or names no kind of questions at all. */
function supportsForms(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined;
  return isRecord(elicitation) && (isRecord(elicitation['form']) || Object.keys(elicitation).length === 0);
}
