import { isUtf8 } from 'node:buffer';
import {
  MessageSchema,
  SessionRequestSchema,
  type Message,
  type SessionRequest,
} from '@svc/contracts/orchestrator';
import type { ValueMatcher } from '@svc/redaction';
import { isJsonObject } from '../json-object.js';
import { parseBody } from './read-request.js';

/** Words and ids of the protocol and of the caller's tools and agents, which must stay unchanged to match. */
const identifiers = new Set(
  `type tool_type input_type role format $ref required collected_by name tool_name tool_id agent_id target_agent_id
  data_key arg_name interrupt_id interrupt_data_keys targeted_tools allowed_tools model force_model reasoning level
  persistence_mode sharing_scope swarm_id swarm_name invocation_tool_id invokes_via_dependency agent_invocation_tool_map
  invoked_agent_id invoked_agent_name sdk_delivery_mode parent_session_id parent_tool_event_id client_timezone mode
  stop_strategy final_output_mode included_nested_synthesis timing instance_control dependency_type approval
  argument_path producer_tool_name reference_kind`.split(/\s+/),
);

/** The protocol's part of a tool's `metadata`; the rest is the caller's own data. */
const toolRules = new Set([
  'execution_controls',
  'arg_policies',
  'producer_references',
  'target_agent_id',
  'output_schema',
]);

/** The caller's own data: every key, number and text in it is checked, at any depth. */
const dataKeys = new Set(
  `messages metadata memory_assets_config memory_defined_skills memory_bound_resources agent_dependency_context
  default const enum examples`.split(/\s+/),
);

const messageKeys = new Set(MessageSchema.options.flatMap(({ shape }) => Object.keys(shape)));

const deepest = 128;

/** The request with placeholders in place of private values everywhere except in identifiers. */
export function scrubRequest(request: SessionRequest, matcher: ValueMatcher): SessionRequest {
  const { messages, tools, ...rest } = request;
  return parseBody(SessionRequestSchema, {
    ...Object(scrub(rest, { matcher })),
    messages: messages.map((message) => scrubMessage(message, matcher)),
    tools: tools.map(({ metadata, ...tool }) => ({
      ...Object(scrub(tool, { matcher })),
      metadata: scrubToolMetadata(metadata, matcher),
    })),
  });
}

/** Everything in a message is data, except for the protocol's own words. */
function scrubMessage(message: Message, matcher: ValueMatcher): object {
  const words = message.type === 'tool' ? ['type', 'status'] : ['type'];
  const entries = Object.entries(message).map(([name, item]) => [
    messageKeys.has(name) ? name : matcher.replace(name),
    words.includes(name) ? item : scrub(item, { matcher, key: name, isData: true }),
  ]);
  return Object.fromEntries(entries);
}

function scrubToolMetadata(metadata: object, matcher: ValueMatcher): object {
  const entries = Object.entries(metadata).map(([name, item]) => {
    const isData = !toolRules.has(name);
    return [isData ? matcher.replace(name) : name, scrub(item, { matcher, key: name, isData })];
  });
  return Object.fromEntries(entries);
}

interface Place {
  readonly matcher: ValueMatcher;
  readonly key?: string;
  readonly isData?: boolean;
  readonly depth?: number;
}

function scrub(value: unknown, place: Place): unknown {
  const { matcher, key = '', isData = false, depth = 0 } = place;
  if (depth > deepest) return matcher.scrub(value);
  if (typeof value === 'string') {
    if (key === 'content_base64') return scrubFile(value, matcher);
    return isData || !identifiers.has(key) ? matcher.scrub(value) : value;
  }
  const below = { ...place, depth: depth + 1 };
  if (Array.isArray(value)) return value.map((item) => scrub(item, below));
  // Numbers outside data are limits and settings.
  if (!isJsonObject(value)) return isData ? matcher.scrub(value) : value;
  const entries = Object.entries(value).map(([name, item]) => {
    // Both its keys and its values are ids.
    const itemKey = key === 'agent_invocation_tool_map' ? key : name;
    const clean = scrub(item, { ...below, key: itemKey, isData: isData || dataKeys.has(name) });
    return [isData ? matcher.replace(name) : name, clean];
  });
  return Object.fromEntries(entries);
}

/** Files stay files: values are replaced in the bytes, not in their base64. Anything else is treated as text. */
function scrubFile(base64: string, matcher: ValueMatcher): unknown {
  const bytes = Buffer.from(base64, 'base64');
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const clean = matcher.replace(text);
  if (clean !== text) return Buffer.from(clean, encoding).toString('base64');
  return isBase64(base64) && !isWholeValue(base64, matcher) ? base64 : matcher.scrub(base64);
}

/** In either alphabet, with or without line breaks and padding. */
function isBase64(text: string): boolean {
  return !/[^\w+/=\r\n-]/.test(text);
}

/** Whether a private value makes up the whole text; many secrets look like base64. */
function isWholeValue(text: string, matcher: ValueMatcher): boolean {
  if (text.length > matcher.longestForm) return false;
  return matcher.find(text).some(({ start, end }) => start === 0 && end === text.length);
}
