import type { DependencyMarker, ToolSpecInput } from '@svc/contracts/orchestrator';
import type { PlannedTool, PlannedTools } from '../dependencies/planned-tool.js';
import { createStableId } from '../identifiers.js';
import { isRecord } from '../is-record.js';
import type { InterruptInjection } from '../tools/references/injection.js';

/** Compiles the tools of a run for the orchestrator. Injected arguments are markers, never schemas. */
export function compileToolSpecs(planned: PlannedTools, agentId: string): ToolSpecInput[] {
  return [...planned.values()].map((entry) => compileToolSpec(entry, planned, agentId));
}

function compileToolSpec(entry: PlannedTool, planned: PlannedTools, agentId: string): ToolSpecInput {
  const { tool } = entry;
  const { properties = {}, required = [], ...schema } = tool.inputSchema;
  const markers = compileMarkers(entry, planned);
  return {
    tool_id: tool.id,
    agent_id: agentId,
    name: tool.name,
    description: tool.description,
    tags: [...tool.tags],
    tool_type: tool.kind,
    args_schema: {
      ...schema,
      tool_id: tool.id,
      tool_type: tool.kind,
      description: tool.description,
      properties: { ...(isRecord(properties) ? properties : {}), ...markers },
      required: [...asList(required), ...Object.keys(markers)],
      ...(tool.kind === 'model' ? {} : { return_type: tool.outputSchema ?? {} }),
    },
    always_execute: tool.alwaysExecute,
    final_tool: tool.finalTool,
    metadata: compileMetadata(entry, planned),
  };
}

function compileMarkers(entry: PlannedTool, planned: PlannedTools): Record<string, DependencyMarker> {
  const markers: Record<string, DependencyMarker> = {};
  // Sorted by name, so that both forms of a declaration, in any order, compile to the same request.
  const injections = [...entry.tool.inject].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [argument, injection] of injections) {
    if (injection.kind === 'private_data') {
      const { dataKey } = injection;
      markers[argument] = {
        type: 'data_dependency',
        data_key: dataKey,
        description: `Private data '${dataKey}'`,
      };
    } else if (injection.kind === 'interrupt') {
      markers[argument] = compileInterrupt(entry.tool.name, argument, injection);
    } else {
      // A planner that knew of the agent would call it with a prompt of its own.
      if (injection.kind === 'agent' && injection.prompt) continue;
      const producer = planned.get(entry.producers.get(argument) ?? '');
      if (producer) markers[argument] = compileProducer(producer);
    }
  }
  return markers;
}

function compileInterrupt(
  toolName: string,
  argument: string,
  injection: InterruptInjection,
): DependencyMarker {
  const { prompt, inputType, choices } = injection;
  return {
    type: 'interrupt_dependency',
    interrupt_id: createStableId(`interrupt_${toolName}_${argument}`),
    data_key: argument,
    ...(typeof prompt === 'string' ? { prompt } : {}),
    description: `A person supplies '${argument}'`,
    input_type: inputType,
    ...(choices.length > 0 ? { choices: [...choices] } : {}),
    collected_by: 'client',
  };
}

function compileProducer({ tool }: PlannedTool): DependencyMarker {
  return {
    type: 'tool_dependency',
    tool_id: tool.id,
    tool_name: tool.name,
    tool_type: tool.kind,
    description: `Output from ${tool.name}`,
    output_type: 'object',
  };
}

function compileMetadata(entry: PlannedTool, planned: PlannedTools): NonNullable<ToolSpecInput['metadata']> {
  const { tool } = entry;
  const controls = compileControls(entry, planned);
  const policies = [...tool.composePolicies];
  const references = [
    ...entry.references.map(({ argumentPath, producer, referenceKind }) => ({
      argument_path: argumentPath,
      producer_tool_name: producer,
      reference_kind: referenceKind,
    })),
    ...policies
      .filter(([, { mode }]) => mode === 'require')
      .map(([argument]) => ({
        argument_path: argument,
        producer_tool_name: 'compose',
        reference_kind: 'compose_argument',
      })),
  ];
  return {
    ...tool.metadata,
    ...(tool.permissions.isEmpty ? {} : { permissions: tool.permissions.toList() }),
    ...(tool.idempotent ? { idempotent: true } : {}),
    ...(controls ? { execution_controls: controls } : {}),
    ...(policies.length > 0
      ? {
          arg_policies: Object.fromEntries(
            policies.map(([name, policy]) => [name, { compose_artifact: policy }]),
          ),
        }
      : {}),
    ...(references.length > 0 ? { producer_references: references } : {}),
  };
}

function compileControls(entry: PlannedTool, planned: PlannedTools) {
  const compile = (kind: 'await_for' | 'reevaluate') =>
    entry.declared
      .filter((control) => control.kind === kind)
      .toSorted((a, b) => (a.other < b.other ? -1 : 1))
      .map(({ other, timing, instanceControl }) => ({
        dependency_type: kind,
        tool_id: planned.get(other)?.tool.id ?? other,
        tool_name: other,
        timing,
        instance_control: instanceControl,
      }));
  const [awaitFor, reevaluate] = [compile('await_for'), compile('reevaluate')];
  if (awaitFor.length === 0 && reevaluate.length === 0) return undefined;
  return {
    ...(awaitFor.length > 0 ? { await_for: awaitFor } : {}),
    ...(reevaluate.length > 0 ? { reevaluate } : {}),
  };
}

function asList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
