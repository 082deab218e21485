import type { StartSessionRequestInput } from '@svc/contracts/orchestrator';
import { cutText } from '../cut-text.js';
import { isRecord } from '../is-record.js';
import { LONGEST_FILE_NAME } from '../messages/attachment.js';
import type { PrivateValues } from '../privacy/private-values.js';
import { PermissionSet, permissionTags } from '../tools/declaration/permissions.js';

type Change = (value: unknown) => unknown;
type Changes = Readonly<Record<string, Change>>;

/** Metadata that the SDK itself writes: names and ids that calls refer to. */
const OWN_METADATA: ReadonlySet<string> = new Set([
  'target_agent_id',
  'swarm_agent_dependency_context_keys',
  'permissions',
  'idempotent',
  'execution_controls',
  'arg_policies',
  'producer_references',
]);

/** Tags of permissions, which a planner needs even if one of these words is private. */
const OWN_TAGS: ReadonlySet<unknown> = new Set(permissionTags(PermissionSet.all()));

/**
 * Returns the request with placeholders in place of private values in all free text. Identifiers, settings and schemas
 * stay unchanged, so that calls find their tools.
 */
export function cleanRequest(
  request: StartSessionRequestInput,
  values: Pick<PrivateValues, 'cleanText' | 'clean' | 'cleanFile' | 'cleanBytes'>,
): StartSessionRequestInput {
  const clean: Change = (value) => values.clean(value);
  const cleanFile: Change = (value) => (typeof value === 'string' ? values.cleanFile(value) : value);
  const cleanPart: Change = (part) =>
    typeof part === 'string' ? values.cleanText(part) : keepType(part, cleanBlock(part, values));
  const cleanEach: Change = (texts) => (Array.isArray(texts) ? texts.map(cleanPart) : texts);
  const cleanMetadata: Change = (metadata) =>
    mapFields(metadata, (name, value) => (OWN_METADATA.has(name) ? value : clean(value)));
  const file = { name: clean, title: clean, description: clean, source_url: clean, tags: clean };
  const files = inEach({ ...file, content_base64: cleanFile });
  // A placeholder may be longer than its value, and the length of a file name is limited.
  const cleanName: Change = (name) =>
    typeof name === 'string' ? cutText(values.cleanText(name), LONGEST_FILE_NAME) : name;
  const attachments = inEach({ ...file, name: cleanName, content_base64: cleanFile });
  const workflow = { steps: clean, preconditions: clean, postconditions: clean, metadata: clean };
  const skills = inEach({ name: clean, description: clean, ...workflow });
  const message = {
    content: (content: unknown) => (Array.isArray(content) ? cleanEach(content) : cleanPart(content)),
    name: clean,
    additional_kwargs: inside({ attachments }),
  };
  const cleanQuestion: Change = (argument) =>
    isQuestion(argument) ? inside({ prompt: cleanPart, choices: cleanEach })(argument) : argument;
  const tool: Changes = {
    description: clean,
    tags: (tags) => (Array.isArray(tags) ? tags.map((tag) => (OWN_TAGS.has(tag) ? tag : clean(tag))) : tags),
    args_schema: inside({
      description: clean,
      properties: (properties) => mapFields(properties, (_name, argument) => cleanQuestion(argument)),
    }),
    metadata: cleanMetadata,
  };
  const member = { description: clean, memory_defined_skills: skills, memory_bound_resources: files };
  const state = {
    messages: inEach(message),
    tools: inEach(tool),
    metadata: clean,
    memory_assets_config: inside({ defined_skills: skills, bound_resources: files }),
    private_data_schema: inEach({ label: clean, description: clean, format: clean }),
    swarm_config: inside({
      swarm_description: clean,
      swarm_system_prompt: clean,
      agent_roster: inEach(member),
    }),
  };
  return change(request, { state: inside(state) });
}

/** Whether an argument is supplied by a person: its question is free text, not a schema. */
function isQuestion(argument: unknown): boolean {
  return isRecord(argument) && argument['type'] === 'interrupt_dependency';
}

/** The minimum length of base64 that counts as a file. */
const SHORTEST_FILE = 1024;

/** Cleans a block, and its files as files: a short private value may occur in the base64 of an image by chance. */
function cleanBlock(block: unknown, values: Pick<PrivateValues, 'clean' | 'cleanBytes'>): unknown {
  const files = new Map<unknown, string>();
  const cleaned = values.clean(
    mapLeaves(block, (leaf) => {
      const file = typeof leaf === 'string' ? readFile(leaf) : undefined;
      if (!file) return leaf;
      const placeholder = Symbol('file');
      files.set(placeholder, file.address + values.cleanBytes(file.base64));
      return placeholder;
    }),
  );
  return files.size === 0 ? cleaned : mapLeaves(cleaned, (leaf) => files.get(leaf) ?? leaf);
}

/** Reads a text that is only a file in base64, bare or as a data URL. */
function readFile(text: string): { address: string; base64: string } | undefined {
  if (text.length < SHORTEST_FILE) return undefined;
  const [address = ''] = /^data:[^,]{0,255};base64,/.exec(text) ?? [];
  const base64 = text.slice(address.length);
  return /[^\w+/=-]/.test(base64) ? undefined : { address, base64 };
}

function mapLeaves(value: unknown, map: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, map));
  if (typeof value !== 'object' || value === null) return map(value);
  if ('toJSON' in value) return value;
  return mapFields(value, (_name, field) => mapLeaves(field, map));
}

/** Restores the type of a cleaned block, which belongs to the protocol. */
function keepType(block: unknown, cleaned: unknown): unknown {
  const isTyped = isRecord(block) && 'type' in block;
  return isTyped ? Object.assign({}, cleaned, { type: block['type'] }) : cleaned;
}

function inside(changes: Changes): Change {
  return (value) =>
    mapFields(value, (name, field) => (Object.hasOwn(changes, name) ? changes[name]?.(field) : field));
}

function inEach(changes: Changes): Change {
  return (list) => (Array.isArray(list) ? list.map(inside(changes)) : list);
}

function change<Fields extends object>(fields: Fields, changes: Changes): Fields;
function change(fields: object, changes: Changes): unknown {
  return inside(changes)(fields);
}

function mapFields(value: unknown, map: (name: string, field: unknown) => unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, map(name, field)]));
}
