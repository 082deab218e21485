import type { JsonObject, JsonValue } from '@svc/contracts';
import type { DependencyMarker, ToolSpec } from '@svc/contracts/orchestrator';
import { isJsonArray, isJsonObject } from '../../json-object.js';
import type { DependencyEdge } from '../plan-context.js';
import { readMarker } from './model-schema.js';

/** Resolves the id or name in a marker to a declared, callable tool. */
export type ToolLookup = (
  idOrName: string,
) => { tool_id: string; name: string; isAgent: boolean } | undefined;

/** Where a tool's arguments come from, by its spec. */
export interface DeclaredDependencies {
  readonly edges: readonly DependencyEdge[];
  /** Arguments that are not filled by the planner. */
  readonly injected: ReadonlySet<string>;
}

/** Schema keywords in which a marker may be nested instead of directly at the argument. */
const nestedIn = ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf'] as const;

function* markersIn(schema: JsonValue | undefined, depth = 0): Generator<DependencyMarker> {
  const marker = readMarker(schema);
  if (marker) yield marker;
  if (marker || depth > 4) return;
  if (isJsonArray(schema)) for (const each of schema) yield* markersIn(each, depth + 1);
  if (isJsonObject(schema)) for (const key of nestedIn) yield* markersIn(schema[key], depth + 1);
}

function edgeOf(
  marker: DependencyMarker,
  argument: { name: string; required: boolean },
  lookup: ToolLookup,
): DependencyEdge | undefined {
  if (marker.type === 'data_dependency')
    return {
      type: 'private_data',
      data_key: marker.data_key ?? marker.arg_name ?? '__private_data__',
      arg_name: argument.name,
    };
  if (marker.type === 'interrupt_dependency')
    return {
      type: 'interrupt',
      arg_name: argument.name,
      data_key: marker.data_key ?? argument.name,
      prompt: marker.prompt ?? '',
      ...(marker.input_type ? { input_type: marker.input_type } : {}),
      ...(marker.choices ? { choices: marker.choices } : {}),
      collected_by: marker.collected_by ?? 'client',
    };
  const producer = lookup(marker.tool_id) ?? lookup(marker.tool_name ?? '');
  if (!producer) return undefined;
  return {
    type: producer.isAgent ? 'agent' : 'tool',
    tool_id: producer.tool_id,
    tool_name: producer.name,
    arg_name: argument.name,
    required: argument.required,
  };
}

function orderEdges(spec: ToolSpec, lookup: ToolLookup): DependencyEdge[] {
  const controls = spec.metadata.execution_controls;
  return (['await_for', 'reevaluate'] as const).flatMap((type) =>
    (controls?.[type] ?? []).flatMap((control): DependencyEdge[] => {
      const other = lookup(control.tool_id) ?? lookup(control.tool_name ?? '');
      if (!other) return [];
      const { timing, instance_control } = control;
      return [{ type, tool_id: other.tool_id, tool_name: other.name, timing, instance_control }];
    }),
  );
}

function referenceEdges(spec: ToolSpec, lookup: ToolLookup): DependencyEdge[] {
  return (spec.metadata.producer_references ?? []).flatMap((reference): DependencyEdge[] => {
    const producer = lookup(reference.producer_tool_name);
    const { argument_path, reference_kind } = reference;
    return producer
      ? [
          {
            type: 'producer_reference',
            argument_path,
            tool_id: producer.tool_id,
            tool_name: producer.name,
            reference_kind,
          },
        ]
      : [];
  });
}

/**
 * Reads the declared dependencies of a tool. A marker that names no callable tool is ignored: the client reports it.
 */
export function readDependencies(
  spec: ToolSpec,
  properties: JsonObject,
  lookup: ToolLookup,
): DeclaredDependencies {
  const required = new Set(spec.args_schema.required ?? []);
  const injected = new Set<string>();
  const edges: DependencyEdge[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const direct = readMarker(schema);
    for (const marker of markersIn(schema)) {
      const edge = edgeOf(marker, { name, required: required.has(name) && direct !== undefined }, lookup);
      if (edge) edges.push(edge);
      if (edge && (direct || edge.type === 'tool' || edge.type === 'agent')) injected.add(name);
    }
  }
  return { edges: [...edges, ...orderEdges(spec, lookup), ...referenceEdges(spec, lookup)], injected };
}
