import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@svc/contracts';
import type { ToolSpec } from '@svc/contracts/orchestrator';
import { RequestError } from '../../errors.js';
import { isJsonObject, textOf } from '../../json-object.js';
import type { ComposeRule, ParametersSchema, PlanTool } from '../plan-context.js';
import { modelSchema, readMarker, type ModelLookup } from './model-schema.js';
import { readDependencies, type ToolLookup } from './read-dependencies.js';

/** What decides how tools look, besides their specs. */
export interface PlanToolsOptions {
  /** Descriptions of agents by invocation tool id; they say more than a generated tool description. */
  readonly agentDescriptions?: ReadonlyMap<string, string>;
  /** Arguments that `compose` may write although they ask for approval: `tool.arg`, `tool.*`, `*`, or all of them. */
  readonly approvedComposeTargets?: readonly string[] | boolean;
  /** Names of model specs that are tools even though other specs refer to them. */
  readonly keepModels?: readonly string[];
}

/** Arguments of an agent's invocation tool that the orchestrator sets, or that are artefacts of the original SDK. */
const agentControlArguments = new Set([
  'use_as_final_output',
  'force_final_tool',
  'included_nested_synthesis',
  'memory_recall_turn_active',
  'model',
  'dependency_kwargs',
]);

const propertiesOf = (spec: ToolSpec): JsonObject => {
  const { properties } = spec.args_schema;
  // The spec was parsed from JSON, so its untyped parts are JSON values.
  return isJsonObject(properties) ? properties : {};
};

function refuseDuplicates(specs: readonly ToolSpec[]): ToolSpec[] {
  const byId = new Map<string, ToolSpec>();
  const names = new Map<string, string>();
  for (const spec of specs) {
    const known = byId.get(spec.tool_id) ?? spec;
    if (!isSame(known, spec) || (names.get(spec.name) ?? spec.tool_id) !== spec.tool_id)
      throw new RequestError(
        `Two tools share the id "${spec.tool_id}" or the name "${spec.name}". Give every tool a unique id and name.`,
        { code: 'DUPLICATE_TOOL', details: { tool_id: spec.tool_id, name: spec.name } },
      );
    names.set(spec.name, spec.tool_id);
    byId.set(spec.tool_id, known);
  }
  return [...byId.values()];
}

/**
 * Whether two specs with one id are the same. A model may be sent once per tool that has it as an argument, and as a
 * tool itself, with differences, so its name suffices.
 */
function isSame(known: ToolSpec, spec: ToolSpec): boolean {
  if (known.tool_type === 'model' && spec.tool_type === 'model') return known.name === spec.name;
  return isDeepStrictEqual(known, spec);
}

/** The original clients send function schemas without a type, and flatten nested models into separate specs. */
const isFlattened = (spec: ToolSpec) => spec.args_schema['type'] === undefined && spec.tool_type !== 'mcp';

/** Ids of model specs that only describe arguments of other specs. */
function schemaOnlyModels(specs: readonly ToolSpec[], keep: ReadonlySet<string>): Set<string> {
  const models = specs.filter((spec) => spec.tool_type === 'model');
  const mentioned = new Set<string>();
  const visit = (value: JsonValue): void => {
    const marker = readMarker(value);
    if (marker?.type === 'tool_dependency') mentioned.add(marker.tool_id).add(marker.tool_name ?? '');
    const ref = isJsonObject(value) ? textOf(value['$ref']) : undefined;
    if (ref) mentioned.add(ref.replace(/^#\/(\$defs|definitions)\//, ''));
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner);
  };
  for (const spec of specs) if (isFlattened(spec)) visit(propertiesOf(spec));
  const isOnlySchema = (spec: ToolSpec) =>
    spec.metadata.schema_only === true ||
    (!spec.final_tool && !keep.has(spec.name) && (mentioned.has(spec.tool_id) || mentioned.has(spec.name)));
  return new Set(models.filter(isOnlySchema).map((spec) => spec.tool_id));
}

function parametersOf(spec: ToolSpec, injected: ReadonlySet<string>, lookup: ModelLookup): ParametersSchema {
  const { properties: _properties, required, description: _description, ...rest } = spec.args_schema;
  const hidden = (name: string) =>
    injected.has(name) || (spec.tool_type === 'agent' && agentControlArguments.has(name));
  const shown = Object.entries(propertiesOf(spec)).filter(([name]) => !hidden(name));
  const defaults = spec.metadata['default_args'];
  const preset = isJsonObject(defaults) ? defaults : {};
  const schema = modelSchema(
    { ...(isJsonObject(rest) ? rest : {}), properties: Object.fromEntries(shown) },
    lookup,
  );
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, isJsonObject(each) ? each : {}]),
    ),
    required: (required ?? []).filter(
      (name) => Object.hasOwn(properties, name) && !Object.hasOwn(preset, name),
    ),
  };
}

function composeRules(spec: ToolSpec, approved: ReadonlySet<string>): { [name: string]: ComposeRule } {
  const isApproved = (name: string) =>
    ['*', `${spec.name}.*`, `${spec.name}.${name}`].some((target) => approved.has(target));
  return Object.fromEntries(
    Object.entries(spec.metadata.arg_policies ?? {}).flatMap(([name, { compose_artifact: policy }]) =>
      policy
        ? [[name, { mode: policy.mode, approved: policy.approval === 'none' || isApproved(name) }] as const]
        : [],
    ),
  );
}

function returnsOf(spec: ToolSpec, lookup: ModelLookup): JsonObject | undefined {
  const declared = [spec.args_schema.return_type, spec.metadata['output_schema']]
    .filter(isJsonObject)
    .find((each) => Object.keys(each).length > 0);
  return declared && modelSchema(declared, lookup);
}

/** The longest description in a spec; the author's own text takes precedence over a generated one. */
function descriptionOf(spec: ToolSpec, agentDescription: string | undefined): string {
  if (spec.tool_type === 'agent') return agentDescription ?? spec.description;
  const detail = spec.args_schema.description ?? '';
  return (detail.length > spec.description.length ? detail : spec.description).trim();
}

/**
 * Models are inlined wherever others refer to them. A few that refer to one another many times would never end: beyond
 * this many characters of JSON, a reference becomes "anything".
 */
const maxModelCharacters = 4_000_000;

/**
 * The tools of a request as a planner sees them: only callable ones, with the arguments to fill and the dependencies to
 * respect.
 * @throws RequestError `DUPLICATE_TOOL`
 */
export function planTools(specs: readonly ToolSpec[], options: PlanToolsOptions = {}): PlanTool[] {
  const unique = refuseDuplicates(specs);
  const schemaOnly = schemaOnlyModels(unique, new Set(options.keepModels));
  const byKey = new Map(
    unique.flatMap((spec) => [[spec.name, spec] as const, [spec.tool_id, spec] as const]),
  );
  let charactersLeft = maxModelCharacters;
  const models: ModelLookup = (key) => {
    const spec = byKey.get(key);
    if (spec?.tool_type !== 'model' || !schemaOnly.has(spec.tool_id) || charactersLeft < 0) return undefined;
    const schema = {
      type: 'object',
      properties: propertiesOf(spec),
      required: spec.args_schema.required ?? [],
    };
    const described = spec.description ? { ...schema, description: spec.description } : schema;
    charactersLeft -= JSON.stringify(described).length;
    return described;
  };
  const callable: ToolLookup = (key) => {
    const spec = byKey.get(key);
    if (!spec || schemaOnly.has(spec.tool_id)) return undefined;
    return { tool_id: spec.tool_id, name: spec.name, isAgent: spec.tool_type === 'agent' };
  };
  const approved = approvedTargets(options.approvedComposeTargets);
  return unique
    .filter((spec) => !schemaOnly.has(spec.tool_id) && spec.tool_type !== 'system')
    .map((spec) => planTool(spec, { models, callable, approved, options }));
}

function approvedTargets(targets: readonly string[] | boolean = []): ReadonlySet<string> {
  if (typeof targets !== 'boolean') return new Set(targets);
  return new Set(targets ? ['*'] : []);
}

interface Lookups {
  readonly models: ModelLookup;
  readonly callable: ToolLookup;
  readonly approved: ReadonlySet<string>;
  readonly options: PlanToolsOptions;
}

function planTool(spec: ToolSpec, { models, callable, approved, options }: Lookups): PlanTool {
  const { edges, injected } = readDependencies(spec, propertiesOf(spec), callable);
  const compose = composeRules(spec, approved);
  const returns = returnsOf(spec, models);
  const defaults = spec.metadata['default_args'];
  return {
    tool_id: spec.tool_id,
    name: spec.name,
    description: descriptionOf(spec, options.agentDescriptions?.get(spec.tool_id)),
    kind: spec.tool_type === 'system' ? 'func' : spec.tool_type,
    tags: spec.tags ?? [],
    parameters: parametersOf(spec, injected, models),
    ...(returns ? { returns } : {}),
    dependencies: edges,
    ...(Object.keys(compose).length > 0 ? { compose } : {}),
    ...(isJsonObject(defaults) && Object.keys(defaults).length > 0 ? { default_args: defaults } : {}),
    always_execute: spec.always_execute,
    final_tool: spec.final_tool,
    ...(spec.metadata.target_agent_id ? { target_agent_id: spec.metadata.target_agent_id } : {}),
  };
}
